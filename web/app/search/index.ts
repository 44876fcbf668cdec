export { CategoryChips } from "./category-chips.tsx";
export { choiceText } from "./filters-fields.tsx";
export { LocateButton } from "./locate-button.tsx";
export { SearchBox } from "./search-box.tsx";
export { SearchForm } from "./search-form.tsx";
export { categoriesText, searchWords, whereText } from "./where-text.ts";
