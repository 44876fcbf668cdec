import { open } from "https://maps.example/embed/cairn.js";

const opened = open("https://maps.example/dataset/");

self.onmessage = async ({ data }) => {
  const cairn = await opened;
  let streets = 0;
  for await (const _ of cairn.transportation({ ...data, limit: 100 })) streets++;
  self.postMessage(`${streets} streets`);
};
