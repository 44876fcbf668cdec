/**
 * Searches for tests, as addresses of the page.
 * @module
 */
export const BOULDER = "#/places?lat=40.0165&lng=-105.271&radius=1000";
export const MONACO_BUILDINGS = "#/buildings?lat=43.7347&lng=7.4206&radius=300";
