import { open } from "cairn-map";

const cairn = await open("https://maps.example/dataset/");
const { count } = await cairn.search("places", { lat: 43.7347, lng: 7.4206, radius: 500, min_confidence: 0.9 });
document.querySelector("#found").textContent = `${count} places`;
