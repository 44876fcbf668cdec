import "cairn-map/react";
import { useState } from "react";
import { createRoot } from "react-dom/client";

function Shops() {
  const [count, setCount] = useState();
  return (
    <>
      <cairn-map
        src="https://maps.example/dataset/"
        path="bike_shops"
        filter="Cargo bikes=yes"
        oncairn-found={({ detail }) => setCount(detail.count)}
      />
      <p id="found">{count === undefined ? "" : `${count} shops`}</p>
    </>
  );
}

createRoot(document.querySelector("#root")).render(<Shops />);
