import "cairn-map/map";

const map = document.createElement("cairn-map");
map.setAttribute("src", "https://maps.example/dataset/");
map.setAttribute("lat", "43.7347");
map.setAttribute("lng", "7.4206");
map.addEventListener("cairn-found", ({ detail }) => {
  document.querySelector("#found").textContent = `${detail.count} places`;
});
document.body.append(map);
