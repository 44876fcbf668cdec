import "cairn-map/react";
import { useState } from "react";
import { createRoot } from "react-dom/client";

function App() {
  const [radius, setRadius] = useState(300);
  const [count, setCount] = useState();
  return (
    <>
      <label>
        Radius in metres{" "}
        <input type="number" min="50" value={radius} onChange={({ target }) => setRadius(target.valueAsNumber)} />
      </label>
      <cairn-map
        src="https://maps.example/dataset/"
        lat="43.7347"
        lng="7.4206"
        radius={radius}
        oncairn-found={({ detail }) => setCount(detail.count)}
      />
      <output id="found">{count === undefined ? "" : `${count} places`}</output>
    </>
  );
}

createRoot(document.querySelector("#app")).render(<App />);
