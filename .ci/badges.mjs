// `node .ci/badges.mjs`: writes the pictures of version and licence at the top of the README, from package.json.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";

export const BADGES = "docs/badges";
/** Widths in pixels, of text with 11 pixels. */
const [LETTER, MARGIN, HEIGHT] = [6.6, 7, 20];

/** A picture of two texts: what is described, and its value. */
function badge(label, value) {
  const [left, right] = [label, value].map((text) => Math.round(text.length * LETTER + 2 * MARGIN));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="${HEIGHT}" role="img" aria-label="${label}: ${value}">
<rect width="${left + right}" height="${HEIGHT}" rx="3" fill="#555"/>
<path d="M${left} 0h${right - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-${right - 3}z" fill="#0a6b8c"/>
<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">
<text x="${left / 2}" y="14">${label}</text>
<text x="${left + right / 2}" y="14">${value}</text>
</g>
</svg>
`;
}

/** Pictures of a package file, by file name. */
export function badgesOf({ version, license }) {
  return { "version.svg": badge("version", version), "licence.svg": badge("licence", license) };
}

/** Writes the badges of the package file in the working directory. Returns their paths. */
export function writeBadges() {
  mkdirSync(BADGES, { recursive: true });
  const badges = Object.entries(badgesOf(JSON.parse(readFileSync("package.json", "utf8"))));
  return badges.map(([name, text]) => {
    writeFileSync(`${BADGES}/${name}`, text);
    return `${BADGES}/${name}`;
  });
}

if (process.argv[1] === new URL(import.meta.url).pathname) console.log(writeBadges().join("\n"));
