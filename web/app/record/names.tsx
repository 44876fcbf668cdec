import type { Json } from "../../engine/index.ts";
import { language, languageName, listOf, type MessageKey, text, textOf, textsOf } from "../text/index.ts";

/** More are folded away. */
const MOST_OPEN = 6;

interface Name {
  /** BCP 47; undefined where the source does not say. */
  readonly language: string | undefined;
  readonly label: string;
  readonly name: string;
}

/** The record's names in all languages, the reader's first, then its other names. */
export function Names({ names }: { names: Readonly<Record<string, Json>> | undefined }) {
  const common = commonNames(textsOf(names?.common));
  const others = otherNames(listOf(names?.rules));
  const primary = textOf(names?.primary);
  if (common.length + others.length === 0) return null;
  const main = primary === undefined ? [] : [{ language: undefined, label: text("detail.primaryName"), name: primary }];
  return (
    <details open={common.length + others.length <= MOST_OPEN}>
      <summary>
        {common.length > 0 ? text("detail.names", { count: common.length }) : text("detail.otherNames")}
      </summary>
      <dl class="facts">
        {[...main, ...common, ...others].map(({ language: code, label, name }) => (
          <div key={`${label} ${name}`}>
            <dt>{label}</dt>
            <dd lang={code} dir="auto">
              {name}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

function commonNames(byLanguage: Readonly<Record<string, string>>): Name[] {
  const isMine = (name: Name) => name.language?.split("-")[0] === language.value;
  return Object.entries(byLanguage)
    .map(([code, name]) => ({ language: code, label: languageName(code), name }))
    .sort((a, b) => Number(isMine(b)) - Number(isMine(a)) || a.label.localeCompare(b.label, language.value));
}

const RULES: Readonly<Record<string, MessageKey>> = {
  common: "detail.rule.common",
  official: "detail.rule.official",
  alternate: "detail.rule.alternate",
  short: "detail.rule.short",
};

function otherNames(rules: readonly Json[]): Name[] {
  return rules.flatMap((rule) => {
    const { variant = "", value, language: code } = textsOf(rule);
    if (!value) return [];
    const kind = text(RULES[variant] ?? "detail.rule.alternate");
    return [{ language: code, label: code ? `${kind} · ${languageName(code)}` : kind, name: value }];
  });
}
