import type { Device } from './item.ts';

/** Versions by name; empty if the peripheral has none. */
export type Peripherals = Readonly<Record<string, string>>;

export function peripheralsOf({ modem }: Device): Peripherals {
  return modem.peripherals?.peripherals ?? {};
}

/** `barometer=2.1, gps`; undefined for none. */
export function peripheralsText(peripherals: Peripherals): string | undefined {
  const texts = Object.entries(peripherals).map(([name, version]) => (version ? `${name}=${version}` : name));
  return texts.toSorted().join(', ') || undefined;
}
