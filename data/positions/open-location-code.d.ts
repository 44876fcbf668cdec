declare module "open-location-code" {
  interface CodeArea {
    readonly latitudeCenter: number;
    readonly longitudeCenter: number;
  }
  export class OpenLocationCode {
    isFull(code: string): boolean;
    isShort(code: string): boolean;
    decode(code: string): CodeArea;
    recoverNearest(code: string, latitude: number, longitude: number): string;
  }
}
