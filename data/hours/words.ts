/** Words of opening hours in the page's ten languages, and as OpenStreetMap abbreviates them. @module */
import { foldText } from "../format/fold.ts";

/** From Monday. The first of each list is the name of OpenStreetMap. */
const DAYS: readonly string[] = [
  "mo mon monday montag lun lundi lunes lunedi seg segunda segunda-feira 月 月曜 月曜日 一 周一 星期一 सोम सोमवार الاثنين اثنين",
  "tu tue tues tuesday di die dienstag mar mardi martes martedi ter terca terca-feira 火 火曜 火曜日 二 周二 星期二 मंगल मंगलवार الثلاثاء ثلاثاء",
  "we wed wednesday mi mit mittwoch mer mercredi mie miercoles mercoledi qua quarta quarta-feira 水 水曜 水曜日 三 周三 星期三 बुध बुधवार الاربعاء الأربعاء اربعاء",
  "th thu thur thurs thursday do don donnerstag jeu jeudi jue jueves gio giovedi qui quinta quinta-feira 木 木曜 木曜日 四 周四 星期四 गुरु गुरुवार الخميس خميس",
  "fr fri friday fre freitag ven vendredi vie viernes venerdi sex sexta sexta-feira 金 金曜 金曜日 五 周五 星期五 शुक्र शुक्रवार الجمعة جمعة",
  "sa sat saturday sam samstag sonnabend samedi sab sabado sabato 土 土曜 土曜日 六 周六 星期六 शनि शनिवार السبت سبت",
  "su sun sunday so son sonntag dim dimanche dom domingo domenica 日 日曜 日曜日 周日 星期日 星期天 रवि रविवार الاحد الأحد احد",
];

const DAILY = "daily everyday täglich taglich quotidien diario diariamente quotidiano 毎日 每天 प्रतिदिन रोज يوميا";
const WORKDAYS = "weekdays werktags wochentags 平日 工作日";
const WEEKENDS = "weekend weekends wochenende 週末 周末";
const CLOSED =
  "off closed geschlossen zu ruhetag ferme fermé cerrado chiuso fechado encerrado 休 休業 休業日 休み 定休日 休館 休息 关闭 बंद مغلق";
const AND = "and und et y e 和 と और و";
const TO = "to bis à a al au as às ate até 至 到 से إلى الى";
const FILLER =
  "from von de du des das dos dal dalle alle le les el los the open geöffnet geoffnet uhr h hrs hours heures horas ore o'clock from: at um";

const ALL = [0, 1, 2, 3, 4, 5, 6] as const;

type Word =
  | { readonly kind: "days"; readonly days: readonly number[] }
  | { readonly kind: "closed" | "and" | "to" }
  | { readonly kind: "filler" };

const words = new Map<string, Word>();
const add = (list: string, word: Word): void => {
  for (const text of list.split(" ")) words.set(foldText(text), word);
};
add(FILLER, { kind: "filler" });
add(AND, { kind: "and" });
add(TO, { kind: "to" });
add(CLOSED, { kind: "closed" });
add(DAILY, { kind: "days", days: ALL });
add(WORKDAYS, { kind: "days", days: ALL.slice(0, 5) });
add(WEEKENDS, { kind: "days", days: ALL.slice(5) });
for (const [day, names] of DAYS.entries()) add(names, { kind: "days", days: [day] });

/** Returns the meaning of a word, regardless of case and accents; undefined for an unknown word. */
export function wordOf(text: string): Word | undefined {
  return words.get(foldText(text));
}
