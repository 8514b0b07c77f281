/** The rpcs that a registered service doesn't implement. They are UNIMPLEMENTED for callers who are admitted. */
export const unimplementedRpcs: readonly string[] = ['hiber.map.MapService.TileMap'];
