/**
 * Sixty questions as people ask an agent, with arguments as agents write them, over the sample. Numbers are checked
 * by plain loops over its rows; names were checked by hand.
 */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDataset } from "../engine/index.ts";
import { distanceTo } from "../engine/testing/oracle.ts";
import { openSample } from "../engine/testing/sample.ts";
import { readStoredRows } from "../engine/testing/stored-rows.ts";
import { decodeParquet } from "../hosts/node/parquet.ts";
import { createMcpServer } from "./index.ts";

interface Place {
  readonly id: string;
  readonly country: string;
  readonly bbox: { readonly xmin: number; readonly xmax: number; readonly ymin: number; readonly ymax: number };
  readonly names?: { readonly primary?: string };
  readonly confidence?: number;
  readonly categories?: { readonly primary?: string; readonly alternate?: readonly string[] };
  readonly brand?: { readonly names?: { readonly primary?: string } };
  readonly websites?: readonly string[];
}

const client = new Client({ name: "test", version: "1" });
let places: readonly Place[] = [];

beforeAll(async () => {
  const sample = await openSample();
  places = await readStoredRows<Place>(sample.folder, "place");
  const dataset = openDataset({ source: sample.source, decode: decodeParquet });
  const [here, there] = InMemoryTransport.createLinkedPair();
  await createMcpServer({ dataset }).connect(there);
  await client.connect(here);
});
afterAll(() => client.close());

const CASINO = [7.4281, 43.7394] as const;
const PEARL = [-105.2797, 40.0176] as const;

const within =
  ([lon, lat]: readonly [number, number], meters: number) =>
  (place: Place) =>
    distanceTo([lon, lat], { type: "Point", coordinates: [place.bbox.xmin, place.bbox.ymin] }) <= meters;
const inBox = (west: number, south: number, east: number, north: number) => (place: Place) =>
  place.bbox.xmin >= west && place.bbox.xmax <= east && place.bbox.ymin >= south && place.bbox.ymax <= north;
const isIn = (country: string) => (place: Place) => place.country === country;
const isA =
  (...names: readonly string[]) =>
  ({ categories }: Place) =>
    [categories?.primary, ...(categories?.alternate ?? [])].some((one) => one !== undefined && names.includes(one));
const has = (column: "websites") => (place: Place) => place[column]?.some((value) => value !== "") ?? false;
const isSure = (least: number) => (place: Place) => (place.confidence ?? -1) >= least;

const count =
  (...tests: readonly ((place: Place) => boolean)[]) =>
  () =>
    `total: ${places.filter((place) => tests.every((test) => test(place))).length}\n`;

type Question = readonly [
  question: string,
  tool: string,
  asked: Readonly<Record<string, unknown>>,
  answer: RegExp | (() => string),
];

const QUESTIONS: readonly Question[] = [
  ["Where is Boulder, Colorado?", "find", { text: "Boulder, Colorado" }, /^found:\ndivision; Boulder; .*US; 40\.0/],
  ["Where is Monaco?", "find", { text: "Monaco" }, /^found:\n(country|division); Monaco; .*MC; 43\.7/],
  ["Where's the casino in Monte Carlo?", "find", { text: "casino monte-carlo", country: "Monaco" }, /Casino/],
  ["Wo liegt Boulder?", "find", { text: "Boulder", language: "de" }, /division; Boulder;/],
  ["Find Pearl Street in Boulder", "find", { text: "pearl street boulder" }, /street; .*Pearl St/],
  ["Find 1600 Pearl Street", "find", { text: "1600 Pearl Street, Boulder" }, /address; 1600 Pearl St/],
  ["Where's the Fox Theatre?", "find", { text: "fox theatre", lat: "40.01", lng: "-105.27" }, /place; Fox Theatre;/],
  ["Where is the oceanographic museum of Monaco?", "find", { text: "musée océanographique" }, /oc[ée]anographique/i],
  ["Did you mean Boulder? I typed bouldr", "find", { text: "bouldr" }, /division; Boulder;/],
  [
    "Any Starbucks in Boulder?",
    "find",
    { text: "starbucks", lat: 40.0165, lng: -105.271, limit: 3 },
    /place; Starbucks;/,
  ],
  ["Where is Chautauqua Park?", "find", { text: "chautauqua", country: "us" }, /Chautauqua/],
  ["Hôtel de Paris, where is it?", "find", { text: "hotel de paris monaco" }, /H[ôo]tel de Paris/],
  ["Where is Tokyo?", "find", { text: "Tokyo" }, /Tokyo|none/],
  [
    "Chipotle near the university hill",
    "find",
    { text: "chipotle", lat: 40.007, lng: -105.276 },
    /Chipotle Mexican Grill/,
  ],
  ["What is at 43.7384, 7.4246?", "reverse", { lat: 43.7384, lng: 7.4246 }, /label: 25 Avenue de la Costa, Monaco/],
  ["Which country am I in (as text)?", "reverse", { lat: "43.7384", lng: "7.4246" }, /Monaco; country;/],
  ["Which country is downtown Boulder in?", "reverse", { lat: 40.0165, lng: -105.271 }, /United States; country;/],
  [
    "What is the nearest street there?",
    "reverse",
    { lat: 40.0165, lng: -105.271, language: "en" },
    /19th Street; residential; \d+ m/,
  ],
  ["Dans quel pays suis-je ?", "reverse", { lat: 40.0165, lng: -105.271, language: "fr" }, /États-Unis.*; country;/],
  ["What is in the middle of the Atlantic?", "reverse", { lat: 30, lng: -40 }, /nearest: none/],
  ["What is at latitude 0, longitude 0?", "reverse", { lat: 0, lng: 0 }, /nearest: none/],
  [
    "What is within 500 m of the casino?",
    "near",
    { lat: CASINO[1], lng: CASINO[0], radius: 500 },
    count(within(CASINO, 500)),
  ],
  [
    "Within half a kilometre?",
    "near",
    { lat: CASINO[1], lng: CASINO[0], radius: "0.5 km" },
    count(within(CASINO, 500)),
  ],
  ["Within 250m?", "near", { lat: CASINO[1], lng: CASINO[0], radius: "250m" }, count(within(CASINO, 250))],
  [
    "Cafés within a kilometre of the casino",
    "near",
    { lat: CASINO[1], lng: CASINO[0], radius: 1000, categories: ["cafe"] },
    count(within(CASINO, 1000), isA("cafe")),
  ],
  [
    "Restaurants near Pearl Street",
    "near",
    { lat: PEARL[1], lng: PEARL[0], categories: "restaurants", radius: 800 },
    count(within(PEARL, 800), isA("restaurant", "restaurants")),
  ],
  [
    "Coffee shops there",
    "near",
    { lat: PEARL[1], lng: PEARL[0], categories: ["Coffee shop"], radius: "1000" },
    count(within(PEARL, 1000), isA("coffee_shop")),
  ],
  [
    "Cafés or bars there",
    "near",
    { lat: PEARL[1], lng: PEARL[0], categories: "cafe, bar", radius: 1500 },
    count(within(PEARL, 1500), isA("cafe", "bar")),
  ],
  [
    "Cafés or bars, as a JSON text",
    "near",
    { lat: PEARL[1], lng: PEARL[0], categories: '["cafe", "bar"]', radius: 1500 },
    count(within(PEARL, 1500), isA("cafe", "bar")),
  ],
  [
    "Places with a website near the casino",
    "near",
    { lat: CASINO[1], lng: CASINO[0], radius: 300, has_contact: ["website"] },
    count(within(CASINO, 300), has("websites")),
  ],
  [
    "With a website, as one text",
    "near",
    { lat: CASINO[1], lng: CASINO[0], radius: 300, has_contact: "website" },
    count(within(CASINO, 300), has("websites")),
  ],
  [
    "Only those that surely exist",
    "near",
    { lat: PEARL[1], lng: PEARL[0], radius: 400, min_confidence: "0.95" },
    count(within(PEARL, 400), isSure(0.95)),
  ],
  [
    "The nearest pharmacy to the casino",
    "near",
    { lat: CASINO[1], lng: CASINO[0], nearest: 1, categories: ["pharmacy"] },
    /; pharmacy; \d+ m/,
  ],
  [
    "The three nearest pharmacies",
    "near",
    { lat: CASINO[1], lng: CASINO[0], nearest: "3", categories: ["pharmacies"] },
    /^total: 3\n/,
  ],
  [
    "The nearest hospital, however far",
    "near",
    { lat: 43.75, lng: 7.5, nearest: 1, categories: "hospital" },
    /; hospital; /,
  ],
  [
    "Starbucks by name",
    "near",
    { lat: PEARL[1], lng: PEARL[0], radius: 5000, name: "starbucks" },
    /Starbucks; .*Starbucks; /s,
  ],
  [
    "Buildings around the casino",
    "near",
    { lat: CASINO[1], lng: CASINO[0], radius: 50, what: "buildings" },
    /^total: [1-9]/,
  ],
  [
    "Buildings, in the singular",
    "near",
    { lat: CASINO[1], lng: CASINO[0], radius: 50, what: "building" },
    /^total: [1-9]/,
  ],
  [
    "Roads around the casino",
    "near",
    { lat: CASINO[1], lng: CASINO[0], radius: 100, what: "roads", limit: 5 },
    /^total: [1-9]/,
  ],
  [
    "Addresses around Pearl Street",
    "near",
    { lat: PEARL[1], lng: PEARL[0], radius: 100, what: "address" },
    /^total: [1-9]/,
  ],
  ["What lies at latitude 0?", "near", { lat: 0, lng: 0, radius: 1000 }, /^total: 0\nrecords: none/],
  ["Hotels in Monaco", "in_area", { country: "Monaco", categories: ["hotel"] }, count(isIn("MC"), isA("hotel"))],
  ["Hotels in MC", "in_area", { country: "MC", categories: "hotels" }, count(isIn("MC"), isA("hotel", "hotels"))],
  ["Museums in mc", "in_area", { country: "mc", categories: ["Museum"] }, count(isIn("MC"), isA("museum"))],
  [
    "Pizza in the United States",
    "in_area",
    { country: "United States", categories: ["pizza restaurant"] },
    count(isIn("US"), isA("pizza_restaurant")),
  ],
  [
    "Coffee in the USA",
    "in_area",
    { country: "USA", categories: ["coffee-shops"] },
    count(isIn("US"), isA("coffee_shop")),
  ],
  ["Everything in France", "in_area", { country: "france" }, count(isIn("FR"))],
  ["Places in this box", "in_area", { bbox: [7.415, 43.735, 7.43, 43.745] }, count(inBox(7.415, 43.735, 7.43, 43.745))],
  ["This box, as a text", "in_area", { bbox: "7.415,43.735,7.43,43.745" }, count(inBox(7.415, 43.735, 7.43, 43.745))],
  [
    "This box, numbers in quotes",
    "in_area",
    { bbox: ["7.415", "43.735", "7.43", "43.745"] },
    count(inBox(7.415, 43.735, 7.43, 43.745)),
  ],
  ["Divisions of Monaco", "in_area", { country: "MC", what: "divisions", limit: "20" }, /Monte-Carlo|Monte Carlo/],
  [
    "Parks in Boulder's downtown",
    "in_area",
    { bbox: [-105.3, 40.0, -105.25, 40.03], categories: ["park"] },
    count(inBox(-105.3, 40.0, -105.25, 40.03), isA("park")),
  ],
  // Kinds and counts
  ["What is a coffee place called here?", "categories", { words: "coffee" }, /coffee_shop; \d+/],
  ["Which categories are about pizza?", "categories", { words: "Pizza" }, /pizza_restaurant; \d+/],
  ["The most usual kinds of places in Monaco", "categories", { country: "Monaco", limit: 3 }, /restaurant; \d+/],
  ["Which brands are there most?", "counts", { by: "brand", limit: 5 }, /Citibank; 6/],
  ["How many places in each country?", "counts", { by: "country" }, () => `US; ${places.filter(isIn("US")).length}`],
  [
    "Which kinds near Pearl Street?",
    "counts",
    { by: "category", lat: String(PEARL[1]), lng: String(PEARL[0]), radius: "1 km" },
    /groups:\n\w+; \d+/,
  ],
  ["Which kinds in Monaco?", "counts", { by: "category", country: "Monaco", limit: 1 }, /restaurant; \d+/],
  ["What data is here?", "describe", {}, () => `"place":${places.length}`],
];

test("there are sixty", () => {
  expect(QUESTIONS).toHaveLength(60);
});

test.each(QUESTIONS)("%s", async (_, tool, asked, answer) => {
  const { isError, content } = await client.callTool({ name: tool, arguments: asked });
  const [{ text = "" } = {}] = content as { readonly text?: string }[];
  expect(isError, text).toBeFalsy();
  if (typeof answer === "function") expect(text).toContain(answer());
  else expect(text).toMatch(answer);
});
