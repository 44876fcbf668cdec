export async function openSample(): Promise<any> {}
