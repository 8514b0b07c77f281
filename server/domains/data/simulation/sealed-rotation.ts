import type { Sealer } from '#server/base/secrets.ts';

import type { valueSimulation } from './schema.ts';

type Rotation = (typeof valueSimulation.$inferSelect)['rotation'];

/** Encrypts the simulated values of an encrypted field individually because each run reads one of them. */
export const sealRotation = (secrets: Sealer, rotation: Rotation): Rotation =>
  rotation.map((value) => secrets.seal(String(value)));

/** Decrypts the values of a rotation. Numbers become text. */
export const openRotation = <Row extends { readonly sealed: boolean; readonly rotation: Rotation }>(
  secrets: Sealer,
  row: Row,
): Row => (row.sealed ? { ...row, rotation: row.rotation.map((value) => secrets.open(String(value))) } : row);
