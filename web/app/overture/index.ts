export { OvertureOffer } from "./overture-offer.tsx";
