/** The files of a new map project. @module */
import { LANGUAGES } from "../../../data/format/languages.ts";
import { FOLDERS, isShopMap, type MapSettings, SETTINGS_FILE } from "./settings.ts";

export interface NewMap {
  /** Name of the project's folder, which becomes the name of its package. */
  readonly name: string;
  readonly settings: MapSettings;
  /** Package of this program for `dependencies`: its name, and a version, tarball or address. */
  readonly program: { readonly name: string; readonly from: string };
  readonly node: string;
  /** Name of the collection with the table's rows. */
  readonly collection?: string | undefined;
}

/** npm scripts of a map project with their commands. The order is that of a first build. */
export const MAP_SCRIPTS = {
  get: "cairn get",
  build: "cairn build",
  keep: "cairn keep",
  sign: "cairn sign",
  check: "cairn verify",
  site: "cairn site",
  serve: "cairn serve",
  start: "cairn start",
} as const;

/** Returns the texts of the files of a new map project, by path. */
export function filesOf(map: NewMap): ReadonlyMap<string, string> {
  return new Map([
    [SETTINGS_FILE, json(settingsOf(map))],
    ["package.json", json(packageOf(map))],
    [".gitignore", ["node_modules", ...Object.values(FOLDERS).map((name) => `/${name}*/`), ""].join("\n")],
    ["README.md", isShopMap(map.settings) ? shopReadme(map.settings, map.collection) : readme(map)],
    [".github/workflows/publish.yml", isShopMap(map.settings) ? shopWorkflow(map.settings) : WORKFLOW],
  ]);
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function settingsOf({ settings }: NewMap): object {
  if (isShopMap(settings)) {
    const { title, table, area, types, release, from, logo, filters, console, view, colors, languages } = settings;
    const { attribution, key } = settings;
    const options = { view, colors, languages, key, attribution };
    return { title, table, area, types, release, from, logo, filters, console, ...options };
  }
  const { title, area, types, release, from, view, colors, languages, key, attribution } = settings;
  return { title, area, types, release, from, view, colors, languages, key, attribution };
}

function packageOf({ name, settings, program, node }: NewMap): object {
  const own = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");
  return {
    name: own === "" || own === program.name ? "my-map" : own,
    private: true,
    type: "module",
    engines: { node },
    scripts: isShopMap(settings) ? shopScripts(settings) : MAP_SCRIPTS,
    dependencies: { [program.name]: program.from },
  };
}

function readme({ settings: { title } }: NewMap): string {
  return `# ${title}

A map that is searched with no server, made of [Overture Maps](https://overturemaps.org) by Cairn.

\`\`\`sh
npm install
npm start
\`\`\`

fetches the area, builds it, and serves the map on <http://127.0.0.1:8300>. \`npm start\` looks for a newer release each time;
\`npm run serve\` serves what is there. The folder \`${FOLDERS.site}/\` is the whole map: any static host serves it.

\`${SETTINGS_FILE}\` says what the map is:

| name | is |
|---|---|
| \`title\` | what the page is called |
| \`description\` | a sentence about the map for the first visit and search engines, at most 300 characters |
| \`area\` | one of \`{"place": "Monaco"}\`, \`{"bbox": "7.40,43.72,7.44,43.76"}\`, \`{"country": "MC"}\`, \`{"division": "<id>"}\`, \`{"file": "area.geojson"}\` |
| \`types\` | such as \`["place", "building", "division"]\`; all when left out |
| \`release\` | one of Overture's releases; the latest when left out |
| \`from\` | a mirror of Overture's releases |
| \`view\` | what the page shows first, such as \`{"lon": 7.42, "lat": 43.74, "zoom": 14}\`; the box of the area when left out |
| \`colors\` | of buttons and links, in a light page dark enough for white letters: \`{"light": "#0b6b83", "dark": "#56c8e0"}\` |
| \`languages\` | which of ${LANGUAGES.map((code) => `\`${code}\``).join(", ")} the page offers; its first where the reader has none of them |
| \`key\` | public keys, with commas between them: the page refuses a dataset that none of them signed |
| \`attribution\` | whom to credit besides the sources: \`[{"dataset", "license", "text", "url"}]\` |

| command | does |
|---|---|
${Object.entries(COMMANDS)
  .map(([name, does]) => `| \`npm run ${name}\` | ${does} |`)
  .join("\n")}

## On GitHub Pages

Make a repository of this folder, choose *Settings*, *Pages*, *Source: GitHub Actions*, and push. \`.github/workflows/publish.yml\` publishes the map after
each push and on the 28th of each month, with the newest release, and with the release before kept in it: the page tells what changed. The
dataset of a run is kept for 90 days for the next one. GitHub stops the monthly run of a repository in which nothing happened for 60 days, and says so by mail.
`;
}

const COMMANDS: Readonly<Record<keyof typeof MAP_SCRIPTS, string>> = {
  get: `fetches the area into \`${FOLDERS.extract}/\``,
  build: `builds it into \`${FOLDERS.dataset}/\``,
  keep: `keeps the release in \`${FOLDERS.previous}/\`, if there is one, inside the new one`,
  sign: "signs the dataset with the private key in `CAIRN_SIGNING_KEY`",
  check: "checks the dataset, every row of it",
  site: `makes \`${FOLDERS.site}/\`: the page with the dataset`,
  serve: `serves \`${FOLDERS.site}/\``,
  start: "get, build, sign (if there is a key), site and serve",
};

/**
 * Returns the scripts for a map of a table: no `keep`, because a table has no releases, and `get` only with an area.
 */
function shopScripts({ area }: MapSettings): object {
  const { get, keep: _, ...others } = MAP_SCRIPTS;
  return area ? { get, ...others } : others;
}

function shopReadme({ title, area, ...settings }: MapSettings, collection = "shops"): string {
  const table = "table" in settings ? settings.table : "";
  return `# ${title}

A page that finds shops, with no server, made of \`${table}\` by Cairn.

\`\`\`sh
npm install
npm start
\`\`\`

builds the page and serves it on <http://127.0.0.1:8300>. After a change of the table, run \`npm start\` again. The folder \`${FOLDERS.site}/\` is the whole
page: any static host serves it.

\`${SETTINGS_FILE}\`:

| name | is |
|---|---|
| \`title\` | the page's title |
| \`description\` | a sentence about the map for the first visit and search engines, at most 300 characters |
| \`table\` | the file with the shops, in this folder, or its web address |
| \`logo\` | a picture in this folder, such as \`logo.svg\` |
| \`colors\` | of buttons and links: \`{"light": "#0b6b83", "dark": "#56c8e0"}\` |
| \`filters\` | columns with a filter, in this order; all when left out |
| \`console\` | \`true\` shows exports, files and the SQL console too |
| \`view\` | first view, such as \`{"lon": 7.42, "lat": 43.74, "zoom": 14}\`; the shops when left out |
| \`languages\` | which of ${LANGUAGES.map((code) => `\`${code}\``).join(", ")} the page offers |
| \`area\` | an area of [Overture Maps](https://overturemaps.org) for streets and buildings below the shops, such as \`{"place": "Monaco"}\` |
| \`key\` | public keys, with commas between them: the page refuses a dataset that none of them signed |
| \`attribution\` | whom to credit: \`[{"dataset", "license", "text", "url"}]\` |

\`cairn.json\` says what the columns mean, if their names do not: \`{"roles": {"hours": "Times"}}\`.
${
  area
    ? `
\`npm run get\` downloads the area. \`npm start\` looks for a newer release each time.
`
    : ""
}
## Inside another page

\`\`\`html
<script type="module" src="https://shops.example/embed/cairn-map.js"></script>
<cairn-map src="https://shops.example/dataset/" path="${collection}" list load="click"></cairn-map>
\`\`\`

## On GitHub Pages

Make a repository of this folder, choose *Settings*, *Pages*, *Source: GitHub Actions*, and push. \`.github/workflows/publish.yml\` publishes the
page after each push. Each night it builds the page again, and publishes it if rows have changed: \`table\` may be a web address,
such as a published Google Sheet. GitHub stops the nightly run after 60 days without a change in the repository, and says so by mail.
`;
}

function shopWorkflow({ area }: MapSettings): string {
  const [head = "", steps = ""] = WORKFLOW.split(/(?=^ {6}# the dataset of the last run)/m);
  const publish = steps.slice(steps.indexOf("\n  # Has the token"));
  return `${head}${shopSteps(area !== undefined)}${publish}`
    .replace(
      /^#.*\n/,
      "# The page with the rows of the table: built and checked after each push and each night, and published to GitHub Pages.\n# A nightly run publishes only if rows have changed.\n",
    )
    .replace("40 4 28 * *", "40 4 * * *")
    .replace("  build:\n", `  build:\n    outputs:\n      publish: \${{ steps.build.outputs.publish }}\n`)
    .replace("    needs: build\n", "    needs: build\n    if: needs.build.outputs.publish == 'true'\n");
}

/**
 * Returns the steps that build the page of a table. A nightly run stores and publishes its result only if rows have
 * changed since the last published run.
 */
function shopSteps(hasArea: boolean): string {
  const kept = [FOLDERS.dataset, `${FOLDERS.dataset}.sources`, ...(hasArea ? [FOLDERS.extract] : [])];
  const condition = "        if: steps.build.outputs.publish == 'true'\n";
  return `      # what the last published run built, to see whether rows have changed
      - run: |
          for run in $(gh api "repos/$GITHUB_REPOSITORY/actions/artifacts?name=built&per_page=20" --jq '.artifacts[] | select(.expired | not) | .workflow_run.id'); do
            if [ "$(gh run view "$run" --json conclusion --jq .conclusion)" = success ] && gh run download "$run" --name built --dir .; then break; fi
          done
        env:
          GH_TOKEN: \${{ github.token }}
${hasArea ? "      - run: npm run get\n" : ""}      - id: build
        run: |
          npm run --silent build -- --json > build.json
          publish=$(jq .is_changed build.json)
          if [ "$GITHUB_EVENT_NAME" != schedule ]; then publish=true; fi
          echo "publish=$publish" >> "$GITHUB_OUTPUT"
${signStep("env.CAN_SIGN == 'true' && steps.build.outputs.publish == 'true'")}      - run: npm run check
${condition}      - run: npm run site
${condition}      - uses: actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02 # v4.6.2
${condition}        with:
          name: built
          path: |
${kept.map((path) => `            ${path}`).join("\n")}
          retention-days: 90
      - uses: actions/upload-pages-artifact@7b1f4a764d45c48632c6b24a0339c27f5614fb0b # v4.0.0
${condition}        with:
          path: ${FOLDERS.site}
`;
}

/** Returns the step that signs if the repository has the secret. Only this step sees the private key. */
function signStep(condition: string): string {
  return `      - run: npm run sign -- --name "$GITHUB_REPOSITORY_OWNER"
        if: ${condition}
        env:
          CAIRN_SIGNING_KEY: \${{ secrets.CAIRN_SIGNING_KEY }}
`;
}

const WORKFLOW = `# The map with the newest release, after each push and each month: fetched, built, checked, and published to GitHub Pages.
name: publish
on:
  push:
    branches: [main]
  schedule:
    - cron: "40 4 28 * *"
  workflow_dispatch:

permissions:
  contents: read

concurrency:
  group: publish
  cancel-in-progress: false

jobs:
  build:
    runs-on: ubuntu-latest
    timeout-minutes: 120
    permissions:
      contents: read
      actions: read
    env:
      CAN_SIGN: \${{ secrets.CAIRN_SIGNING_KEY != '' }}
    steps:
      - uses: actions/checkout@11d5960a326750d5838078e36cf38b85af677262 # v4.4.0
      - uses: actions/setup-node@49933ea5288caeca8642d1e84afbd3f7d6820020 # v4.4.0
        with:
          node-version: 20
      - run: npm install --no-audit --no-fund
      # the dataset of the last run, so that its release is kept
      - run: |
          run=$(gh run list --workflow publish.yml --status success --limit 1 --json databaseId --jq '.[0].databaseId // empty')
          if [ -n "$run" ]; then gh run download "$run" --name dataset --dir ${FOLDERS.previous} || echo "::warning::the last dataset is gone"; fi
        env:
          GH_TOKEN: \${{ github.token }}
      - run: npm run get
      - run: npm run build
      - run: npm run keep
${signStep("env.CAN_SIGN == 'true'")}      - run: npm run check
      - run: npm run site
      - uses: actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02 # v4.6.2
        with:
          name: dataset
          path: ${FOLDERS.dataset}
          retention-days: 90
      - uses: actions/upload-pages-artifact@7b1f4a764d45c48632c6b24a0339c27f5614fb0b # v4.0.0
        with:
          path: ${FOLDERS.site}

  # Has the token, and runs nothing of any package.
  publish:
    needs: build
    runs-on: ubuntu-latest
    timeout-minutes: 20
    permissions:
      pages: write
      id-token: write
    environment:
      name: github-pages
      url: \${{ steps.deployment.outputs.page_url }}
    steps:
      - id: deployment
        uses: actions/deploy-pages@d6db90164ac5ed86f2b6aed7e0febac5b3c0c03e # v4.0.5
`;
