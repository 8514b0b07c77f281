/**
 * A device in the table. It is computed from its index, so it's the same in every run, and a million devices take no
 * memory.
 */
export interface BenchDevice {
  readonly id: string;
  readonly number: string;
  readonly name: string;
  readonly type: string;
  readonly lifecycle: string;
  readonly health: 'ERROR' | 'WARNING' | 'OK';
  readonly inactivity: number;
  readonly received: number;
  readonly tags: readonly string[];
  readonly site: string;
  readonly point: string;
  readonly firmware: string;
  readonly battery: number;
}

const KINDS = ['Flow line temperature', 'Choke position', 'Casing pressure', 'Tubing pressure', 'Separator level'];
const SITES = ['Northern treatment plant', 'Harbor terminal', 'Compressor station west', 'Storage field 4'];
const WELLS = ['Heron', 'Osprey', 'Kestrel', 'Avocet', 'Tern', 'Marsh'];
export const LIFECYCLES = ['Installed', 'Paused', 'Pending maintenance', 'Acceptance testing', 'Decommissioned'];

const pick = <Item>(items: readonly Item[], index: number) => items[index % items.length] as Item;

export function createDevice(index: number): BenchDevice {
  // A multiplicative hash, so neighbors look unrelated, as in a real fleet.
  const hash = Math.imul(index + 1, 0x9e3779b1) >>> 0;
  const hex = hash.toString(16).toUpperCase().padStart(8, '0');
  const well = `${pick(WELLS, hash >>> 8)} ${1 + (hash % 24)}`;
  return {
    id: String(index),
    number: `${hex.slice(0, 4)} ${hex.slice(4)}`,
    name: `${pick(KINDS, hash >>> 12)}, ${well}`,
    type: hash % 20 === 0 ? 'Gateway' : 'Sensor',
    lifecycle: hash % 7 === 0 ? pick(LIFECYCLES, hash >>> 5) : 'Installed',
    health: hash % 11 === 0 ? 'ERROR' : hash % 13 === 0 ? 'WARNING' : 'OK',
    inactivity: (hash % 111_480) * 1000,
    received: hash % 25,
    tags: [well, 'North field', 'Needs visit'].slice(0, 1 + (hash % 3)),
    site: pick(SITES, hash >>> 7),
    point: `${pick(KINDS, hash >>> 3)} ${1 + (hash % 9)}`,
    firmware: `4.${hash % 12}.${hash % 31}`,
    battery: 2400 + (hash % 1300),
  };
}

/** Creates rows on access and keeps only recent rows, so the measured memory is that of the table. */
export function createRows(total: number) {
  const recent = new Map<number, BenchDevice>();
  return (index: number): BenchDevice | undefined => {
    if (index < 0 || index >= total) return undefined;
    const cached = recent.get(index);
    if (cached) return cached;
    if (recent.size > 500) recent.clear();
    const row = createDevice(index);
    recent.set(index, row);
    return row;
  };
}
