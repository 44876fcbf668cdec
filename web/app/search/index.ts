export { CategoryChips } from "./category-chips.tsx";
export { choiceText } from "./filters-fields.tsx";
export { LocateButton } from "./locate-button.tsx";
export { SearchBox } from "./search-box.tsx";
export { SearchForm } from "./search-form.tsx";
export { categoriesText, whereText } from "./where-text.ts";
