// Prints the cafes near a point: node places.mjs https://maps.example/dataset/ 43.7384 7.4246 500
import { open } from "cairn-reader";

const [url, lat, lng, radius] = process.argv.slice(2);
const dataset = await open(url);
const { total, rows } = await dataset.search("place", {
  lat: Number(lat),
  lng: Number(lng),
  radius: Number(radius),
  category: "cafe",
  limit: 10,
});
console.log(`${total} cafes in ${dataset.release}`);
for (const place of rows) console.log(place.ext_distance, place.names?.primary);
for (const { text } of dataset.attribution) console.log(text);
