export const SAMPLE_FOLDER = "data/sample";
export const DATASET_FOLDER = ".cairn/dataset";
export const PAGE_FOLDER = "dist";
