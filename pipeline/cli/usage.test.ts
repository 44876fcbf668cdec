import { mkdir, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import type { Command, Option } from "commander";
import { beforeAll, describe, expect, test } from "vitest";
import { COMMAND_ERRORS } from "../base/errors/index.ts";
import { point, temporaryFolders, writeGeoJson } from "../testing/folders.ts";
import { type Outcome, runCairn } from "../testing/run-cairn.ts";
import { writeSmallDataset } from "../testing/small-dataset/index.ts";
import { makeProgram } from "./program.ts";

const newFolder = temporaryFolders();

/** The kind of value that an option or argument takes. It decides which cases are tested. */
type Value =
  /** An invalid value: wrong usage. */
  | { readonly wrong: string }
  /** A file or folder to read. */
  | "input"
  /** A file or folder to create, with its name. */
  | { readonly output: string }
  /** Any text is valid. */
  | "text";

interface CommandCases {
  /** Arguments with which the command works, or reaches the errors of the options below. */
  readonly works: (place: Places) => readonly string[];
  /** Absent if the command works without arguments, such as a server. */
  readonly alone?: "works";
  readonly arguments: Readonly<Record<string, Value>>;
  /** All options with a value, by long name. */
  readonly options: Readonly<Record<string, Value>>;
  /** Arguments and options that are valid one by one, but not together. */
  readonly wrong?: (place: Places) => readonly (readonly string[])[];
}

interface Places {
  readonly source: string;
  readonly dataset: string;
  readonly folder: string;
  /** A folder with an `index.html`. */
  readonly page: string;
  readonly file: string;
  readonly loop: string;
}

const AREA: CommandCases["options"] = {
  "--bbox": { wrong: "1,2,3" },
  "--place": { wrong: "Monaco," },
  "--country": { wrong: "Monaco" },
  "--division": "text",
  "--area": "input",
  "--types": { wrong: "poi" },
};

/** A screen: what a terminal of 80 columns shows without scrolling. */
const MOST_HELP_LINES = 40;
const HELP_COLUMNS = 80;
const IMPERATIVE = /^(?:Answer|Build|Check|Copy|Create|Download|List|Make|Run|Serve|Sign|Upload|Write),? /;

const BOX = ["--bbox", "7.4,43.7,7.5,43.8"];

/** Every command of the program. A command without cases fails the test. */
const COMMANDS: Readonly<Record<string, CommandCases>> = {
  init: {
    works: ({ folder }) => [join(folder, "map"), "--country", "MC", "--package", "1.0.0"],
    arguments: { folder: { output: "map" } },
    options: { ...AREA, "--title": "text", "--from": "text", "--package": "input" },
    wrong: ({ folder }) => [
      [join(folder, "map"), "--package", "1.0.0"],
      [join(folder, "map"), "--country", "MC"],
      [join(folder, "map"), "--country", "MC", "--place", "Monaco", "--package", "1.0.0"],
    ],
  },
  get: {
    works: ({ folder }) => ["--from", folder, ...BOX, "--out", join(folder, "extract")],
    arguments: {},
    options: {
      ...AREA,
      "--out": { output: "extract" },
      "--from": "input",
      "--connections": { wrong: "0" },
      "--release": "text",
      "--since": "input",
    },
    wrong: ({ folder }) => [["--out", join(folder, "extract")], [...BOX], ["--out", join(folder, "a.parquet"), ...BOX]],
  },
  build: {
    works: ({ source, folder }) => [source, "--out", join(folder, "built")],
    arguments: { source: "input" },
    options: {
      ...AREA,
      "--out": { output: "built" },
      "--release": "text",
      "--from": "text",
      "--connections": { wrong: "none" },
      "--name": "text",
      "--lat": "text",
      "--lng": "text",
      "--geometry": "text",
      "--crs": "text",
      "--geocode": "input",
      "--role": { wrong: "Times" },
      "--memory": { wrong: "1KB" },
      "--threads": { wrong: "0" },
      "--temp": { output: "temp" },
      "--scratch": { output: "scratch" },
      "--task-rows": { wrong: "many" },
      "--level": { wrong: "best" },
      "--executor": { wrong: "hadoop" },
      "--workers": { wrong: "-1" },
      "--spark-master": "text",
      "--spark-conf": { wrong: "queue" },
      "--pack-size": { wrong: "4 parsecs" },
      "--tables": { wrong: "place:" },
      "--most-rejects": { wrong: "half" },
    },
    wrong: ({ source, folder }) => [
      [source],
      [source, "--out", join(folder, "built.parquet")],
      [source, "--out", join(folder, "built"), "--from", folder],
      [source, "--out", join(folder, "built"), "--spark-master", "yarn"],
      ["overture", "--out", join(folder, "built")],
      ["overture", source, "--out", join(folder, "built"), ...BOX],
    ],
  },
  verify: {
    works: ({ dataset }) => [dataset],
    arguments: { dataset: "input" },
    options: { "--memory": { wrong: "little" }, "--temp": { output: "temp" }, "--key": { wrong: "rsa:AA" } },
  },
  diff: {
    works: ({ dataset }) => [dataset, dataset],
    arguments: { old: "input", new: "input" },
    options: {},
  },
  changes: {
    works: ({ dataset, folder }) => [dataset, dataset, "--out", join(folder, "changes.geojson")],
    arguments: { old: "input", new: "input" },
    options: {
      "--since": "text",
      "--country": { wrong: "Monaco" },
      "--bbox": { wrong: "here" },
      "--types": { wrong: "poi" },
      "--out": { output: "changes.geojson" },
      "--format": { wrong: "csv" },
      "--memory": { wrong: "0" },
      "--temp": { output: "temp" },
    },
    wrong: ({ dataset, folder }) => [
      [dataset, "--out", join(folder, "changes.geojson")],
      [dataset, dataset, "--since", "march", "--out", join(folder, "changes.geojson")],
      [dataset, dataset, "--out", join(folder, "changes.csv")],
      [dataset, dataset, "--out", join(folder, "changes.parquet"), "--format", "geojson"],
    ],
  },
  keep: {
    works: ({ dataset }) => [dataset, dataset],
    arguments: { old: "input", dataset: "input" },
    options: {},
    wrong: ({ dataset }) => [[dataset]],
  },
  sign: {
    works: ({ dataset, file }) => [dataset, "--key", file],
    arguments: { dataset: "input" },
    options: {
      "--key": "input",
      "--name": { wrong: "a".repeat(41) },
      "--sequence": { wrong: "0" },
      "--new-key": { output: "private.pem" },
      "--type": { wrong: "rsa" },
    },
  },
  doctor: {
    works: () => ["http://127.0.0.1:9/"],
    arguments: { url: { wrong: "maps.example" } },
    options: { "--key": { wrong: "rsa:AA" } },
  },
  query: {
    works: ({ dataset }) => [dataset, "/places?country=MC"],
    arguments: { dataset: "input", request: { wrong: "/places?country=Monaco" } },
    options: {},
    wrong: ({ dataset }) => [[dataset, "http://["]],
  },
  export: {
    works: ({ dataset, folder }) => [dataset, "/places?country=MC", "--out", join(folder, "places.csv")],
    arguments: { dataset: "input", request: { wrong: "/places?country=Monaco" } },
    options: { "--out": { output: "places.csv" }, "--format": { wrong: "shp" }, "--columns": { wrong: "nmaes" } },
    wrong: ({ dataset, folder }) => [
      [dataset, "/places?country=MC", "--out", join(folder, "places.shp")],
      [dataset, "/nowhere", "--out", join(folder, "places.csv")],
      [dataset, "/places?country=MC&format=kml", "--format", "gpx", "--out", "-"],
      [dataset, "http://[", "--out", "-"],
    ],
  },
  mcp: {
    works: ({ folder }) => [folder],
    arguments: { dataset: "input" },
    options: {},
  },
  tiles: {
    works: ({ dataset, folder }) => [
      ...[dataset, "--collection", "place", "--pmtiles", join(folder, "places.pmtiles"), "--max-zoom", "0"],
    ],
    arguments: { dataset: "input" },
    options: {
      "--collection": "text",
      "--pmtiles": { output: "places.pmtiles" },
      "--bbox": { wrong: "1,2,3,x" },
      "--max-zoom": { wrong: "99" },
    },
    wrong: ({ dataset, folder }) => [
      [dataset, "--collection", "place", "--pmtiles", join(folder, "places.mbtiles")],
      [dataset, "--collection", "place"],
    ],
  },
  pack: {
    works: ({ dataset, folder }) => [dataset, "--out", join(folder, "packs"), "--country", "MC"],
    arguments: { dataset: "input" },
    options: {
      "--out": { output: "packs" },
      "--bbox": { wrong: "" },
      "--country": { wrong: "M1" },
      "--name": "text",
    },
    wrong: ({ dataset, folder }) => [
      [dataset, "--out", join(folder, "packs")],
      [dataset, "--out", join(folder, "packs"), "--country", "MC", ...BOX],
      [dataset, "--out", join(folder, "area.tar"), "--country", "MC"],
    ],
  },
  site: {
    works: ({ dataset, folder, page }) => [dataset, "--out", join(folder, "site"), "--page", page],
    arguments: { dataset: "input" },
    options: {
      "--out": { output: "site" },
      "--page": "input",
      "--allow-overture": { wrong: "mirror" },
      "--key": { wrong: "rsa:AA" },
    },
    wrong: ({ dataset, folder }) => [[dataset], [dataset, "--out", join(folder, "site.zip")]],
  },
  upload: {
    works: ({ folder }) => [folder, "s3://maps/here", "--endpoint", "http://127.0.0.1:9/"],
    arguments: { folder: "input", bucket: { wrong: "maps" } },
    options: { "--endpoint": { wrong: "127.0.0.1" }, "--region": "text" },
  },
  serve: {
    works: ({ dataset }) => [dataset, "--port", "0"],
    arguments: { dataset: "input" },
    options: {
      "--port": { wrong: "65536" },
      "--host": "text",
      "--page": "input",
      "--keys": "input",
      "--public-url": { wrong: "maps.example" },
      "--origin": { wrong: "app" },
      "--connections": { wrong: "0" },
      "--searches": { wrong: "x" },
      "--cache": { wrong: "all" },
    },
    wrong: ({ dataset, page, file }) => [[dataset, "--page", page, "--keys", file]],
  },
  start: {
    works: () => ["--host", "192.0.2.1"],
    alone: "works",
    arguments: {},
    options: { "--port": { wrong: "http" }, "--host": "text" },
  },
  worker: {
    works: ({ folder }) => [
      ...["--plan", join(folder, "plan.json"), "--build", "1", "--stage", "scan", "--index", "0"],
      ...["--memory", "1000000000"],
    ],
    arguments: {},
    options: {
      "--plan": "input",
      "--build": "text",
      "--stage": "text",
      "--index": { wrong: "first" },
      "--memory": { wrong: "1GB" },
    },
  },
};

const commands = makeProgram().commands;
const named = (name: string): Command => {
  const found = commands.find((command) => command.name() === name);
  if (!found) throw new Error(`no command ${name}`);
  return found;
};
const takesValue = (option: Option) => option.required || option.optional;

let places: Places;

beforeAll(async () => {
  const folder = await newFolder();
  const [source, dataset, page] = [join(folder, "sources"), join(folder, "dataset"), join(folder, "page")];
  for (const made of [source, dataset, page]) await mkdir(made);
  await writeGeoJson(source, "connector.geojson", [point("a", 7.42, 43.73)]);
  await writeSmallDataset(dataset);
  await writeFile(join(page, "index.html"), "<title>Cairn</title>");
  const [file, loop] = [join(folder, "file"), join(folder, "loop")];
  await writeFile(file, "a file");
  await symlink(loop, loop);
  places = { source, dataset, folder, page, file, loop };
});

/** The last line describes the failure, without system codes and without a stack trace. */
function expectPlain({ stderr }: Outcome): void {
  expect(stderr).not.toMatch(/\bE(?:[A-Z]{3,})\b|\bsyscall\b|\n\s+at /);
  // A failure has a code that names its kind.
  expect(stderr.trim().split("\n").at(-1)).toMatch(
    /^cairn: .* \[CAIRN_E_(?!FAILED|INTERNAL|USAGE)[A-Z_]+\]$|^\(try --help\)$/,
  );
}

test("every command has cases, and every option and argument of it", () => {
  expect(Object.keys(COMMANDS).sort()).toEqual(commands.map((command) => command.name()).sort());
  for (const [name, cases] of Object.entries(COMMANDS)) {
    const { options, registeredArguments } = named(name);
    const valued = options.filter(takesValue).map(({ long }) => long ?? "");
    expect(Object.keys(cases.options).sort(), name).toEqual(valued.sort());
    expect(Object.keys(cases.arguments), name).toEqual(registeredArguments.map((argument) => argument.name()));
  }
});

test("no command, or an unknown one, is wrong usage, also with --help", async () => {
  for (const words of [[], ["biuld"], ["biuld", "--help"], ["help", "biuld"], ["--no-such-option"]]) {
    const { code, stdout } = await runCairn(...words);
    expect([words, code, stdout]).toEqual([words, 2, ""]);
  }
  expect((await runCairn("biuld", "--help")).stderr).toMatch(
    /^cairn: unknown command 'biuld'\n\(Did you mean build\?\)/,
  );
  for (const words of [["--help"], ["help"], ["help", "build"], ["build", "--help"], ["--version"]])
    expect([words, (await runCairn(...words)).code]).toEqual([words, 0]);
});

test("with --json an error is one line of JSON on standard error", async () => {
  const missing = join(places.folder, "missing");
  for (const [words, code, error] of [
    [["verify", missing], 1, { code: "CAIRN_E_NO_FILE", message: expect.stringContaining(missing) }],
    [["build", "--nome"], 2, { code: "CAIRN_E_USAGE", message: expect.stringMatching(/^unknown option '--nome' /) }],
    [["biuld"], 2, { code: "CAIRN_E_USAGE", message: expect.stringMatching(/^unknown command 'biuld' /) }],
    [
      ["build", places.source, "--out", missing, "--from", "x"],
      2,
      { code: "CAIRN_E_USAGE", message: expect.stringMatching(/^--from /) },
    ],
  ] as const) {
    const outcome = await runCairn(...words, "--json");
    expect([outcome.code, outcome.stdout]).toEqual([code, ""]);
    expect(outcome.stderr.match(/\n/g)).toHaveLength(1);
    expect(JSON.parse(outcome.stderr)).toEqual(error);
  }
});

test("help errors lists every code with what happened and the next step", async () => {
  const { code, stdout } = await runCairn("help", "errors");
  expect(code).toBe(0);
  for (const [name, { happened }] of Object.entries(COMMAND_ERRORS)) {
    expect(stdout).toContain(`${name}\n  ${happened.replaceAll("`", "")}\n  `);
  }
});

test("help fits one screen: a verb first, one line per option, examples at the end", async () => {
  for (const command of commands) {
    const { stdout } = await runCairn(command.name(), "--help");
    const lines = stdout.trimEnd().split("\n");
    expect([command.name(), lines.length <= MOST_HELP_LINES]).toEqual([command.name(), true]);
    expect(lines.filter((line) => line.length > HELP_COLUMNS || /^ {8,}\S/.test(line))).toEqual([]);
    expect(lines[2], command.name()).toMatch(IMPERATIVE);
    expect(command.summary()[0]).toBe(command.summary()[0]?.toLowerCase());
    if (command.name() !== "worker") expect(lines.at(-1)).toMatch(/^ {2}\S/);
  }
  const whole = (await runCairn("--help")).stdout.trimEnd().split("\n");
  expect(whole.length).toBeLessThanOrEqual(MOST_HELP_LINES);
  expect(whole.slice(-4, -1)).toEqual([
    "Examples:",
    expect.stringMatching(/^ {2}cairn /),
    expect.stringMatching(/^ {2}cairn /),
  ]);
  const all = (await runCairn("build", "--help-all")).stdout;
  expect(all.split("\n").filter((line) => line.length > HELP_COLUMNS || /^ {12,}\S/.test(line))).toEqual([]);
  const listed = named("build").options.filter(({ long }) => long && all.includes(`${long} `));
  expect(listed).toHaveLength(named("build").options.length);
});

describe.each(Object.entries(COMMANDS))("cairn %s", (name, cases) => {
  const run = (...words: readonly string[]) => runCairn(name, ...words);

  test("exits with 0 for --help, which contains an example", async () => {
    const { code, stdout } = await run("--help");
    expect(code).toBe(0);
    expect(stdout).not.toMatch(/\(default: [{[]/);
    if (name !== "worker") expect(stdout).toMatch(new RegExp(`Examples?:\n  cairn ${name}`));
  });

  test("exits with 2 for an unknown option, too many arguments, and too few", async () => {
    const works = cases.works(places);
    const wrong = [[...works, "--no-such-option"]];
    if (!named(name).registeredArguments.some(({ variadic }) => variadic)) {
      const { length } = named(name).registeredArguments;
      wrong.push([...works, ...Array.from({ length: length + 1 }, () => "more")]);
    }
    if (cases.alone !== "works") wrong.push([]);
    for (const words of wrong) {
      const outcome = await run(...words);
      expect([words, outcome.code, outcome.stdout]).toEqual([words, 2, ""]);
      expectPlain(outcome);
    }
  });

  test("exits with 2 for options without a value and for invalid values", async () => {
    const works = cases.works(places);
    for (const option of named(name).options) {
      const value = cases.options[option.long ?? ""];
      if (option.required)
        expect([option.long, (await run(...works, option.long ?? "")).code]).toEqual([option.long, 2]);
      if (typeof value !== "object" || !("wrong" in value)) continue;
      const outcome = await run(...works, option.long ?? "", value.wrong);
      expect([option.long, outcome.code]).toEqual([option.long, 2]);
      expect(outcome.stderr).toContain(option.long);
      expectPlain(outcome);
    }
  });

  test("exits with 2 for arguments that are invalid alone or together", async () => {
    const works = cases.works(places);
    const wrong = [...(cases.wrong?.(places) ?? [])];
    for (const [index, value] of Object.values(cases.arguments).entries())
      if (typeof value === "object" && "wrong" in value) wrong.push(works.toSpliced(index, 1, value.wrong));
    for (const words of wrong) {
      const outcome = await run(...words);
      expect([words, outcome.code]).toEqual([words, 2]);
      if (name !== "query") expectPlain(outcome);
    }
  });

  test("exits with 1 for paths that cannot be read or created, and names them", async () => {
    const { folder, file, loop } = places;
    const isRead = [join(folder, "missing"), loop, join(file, "below")];
    const isMade = (own: string) => [
      ...[join(loop, own), join(file, own), join(folder, "x".repeat(300), own)],
      ...(process.platform === "linux" ? [join("/proc/x", own)] : []),
    ];
    const pathsOf = (value: Value) =>
      value === "input" ? isRead : typeof value === "object" && "output" in value ? isMade(value.output) : [];
    const works = cases.works(places);
    const tried: (readonly [path: string, words: readonly string[], says: string])[] = [];
    for (const [index, value] of Object.values(cases.arguments).entries())
      for (const path of pathsOf(value)) tried.push([path, works.toSpliced(index, 1, path), path]);
    for (const [option, value] of Object.entries(cases.options))
      for (const path of pathsOf(value)) tried.push([path, [...withoutOption(works, option), option, path], option]);
    for (const [path, words, says] of tried) {
      const outcome = await run(...words);
      expect([words, outcome.code]).toEqual([words, 1]);
      expect(outcome.stderr, path).toContain(says);
      expectPlain(outcome);
    }
  });
});

/** Removes an option, to set it only once and without options that conflict with it. */
function withoutOption(words: readonly string[], option: string): readonly string[] {
  const others = option === "--area" ? ["--bbox", "--country"] : [option];
  return words.filter((word, i) => !others.includes(word) && !others.includes(words[i - 1] ?? ""));
}

test("start and serve check the port and the address before they build", async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
  const address = taken.address();
  const port = typeof address === "object" && address ? String(address.port) : "";
  try {
    for (const words of [["start"], ["serve", places.dataset]]) {
      const outcome = await runCairn(...words, "--port", port);
      expect(outcome).toMatchObject({ code: 1, stdout: "" });
      expect(outcome.stderr).toBe(
        `cairn: --port ${port}: used by another program; choose another port, or 0 for a free one [CAIRN_E_PORT]\n`,
      );
    }
  } finally {
    await new Promise((resolve) => taken.close(resolve));
  }
  const elsewhere = await runCairn("start", "--host", "192.0.2.1");
  expect([elsewhere.code, elsewhere.stderr]).toEqual([
    1,
    expect.stringMatching(/^cairn: --host 192.0.2.1: not an address of this machine; /),
  ]);
});
