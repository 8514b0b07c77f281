import type { Device } from './item.ts';

/** The versions of peripherals by name. A peripheral without a version has an empty string. */
export type Peripherals = Readonly<Record<string, string>>;

export function peripheralsOf({ modem }: Device): Peripherals {
  return modem.peripherals?.peripherals ?? {};
}

/** Formats peripherals, as in `barometer=2.1, gps`. Undefined if there are none. */
export function peripheralsText(peripherals: Peripherals): string | undefined {
  const texts = Object.entries(peripherals).map(([name, version]) => (version ? `${name}=${version}` : name));
  return texts.toSorted().join(', ') || undefined;
}
