/**
 * The payloads of demo devices. A payload depends only on the device and the time, so the seeded and the simulated
 * messages form one continuous signal.
 */

export const payloadProfiles = ['pressure', 'temperature', 'flow', 'level', 'gateway', 'valve'] as const;
export type PayloadProfile = (typeof payloadProfiles)[number];

interface Payload {
  readonly content: Uint8Array;
  /** The measured values in the profile's units (bar, °C, m³/h, %, V). */
  readonly fields: Record<string, number>;
  /** The values that a network server reports along with the bytes. */
  readonly metadata: { fPort: number; rssi: number; snr: number; spreadingFactor: number };
}

const DAY = 86_400_000;

/**
 * Hashes a string to a number from 0 (inclusive) to 1 (exclusive), using FNV-1a with a final multiply-xorshift, so
 * similar strings give unrelated numbers.
 */
function noise(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash ^= text.charCodeAt(index);
    hash = Math.imul(hash, 0x01000193);
  }
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  return (hash >>> 0) / 2 ** 32;
}

/**
 * The range of the devices' base values, the daily swing and the jitter of each profile, all in the profile's unit.
 */
const signals: Record<PayloadProfile, { field: string; low: number; high: number; swing: number; jitter: number }> = {
  pressure: { field: 'pressure', low: 4, high: 180, swing: 1.5, jitter: 0.4 },
  temperature: { field: 'temperature', low: 18, high: 85, swing: 6, jitter: 0.5 },
  flow: { field: 'flow', low: 2, high: 60, swing: 3, jitter: 0.8 },
  level: { field: 'level', low: 15, high: 90, swing: 8, jitter: 0.6 },
  gateway: { field: 'boardTemperature', low: 28, high: 48, swing: 7, jitter: 0.7 },
  valve: { field: 'linePressure', low: 20, high: 140, swing: 1, jitter: 0.3 },
};

/** Returns the payload that the device sends at the given time. */
export function createPayload(device: { number: string; profile: PayloadProfile }, time: Date): Payload {
  const { number, profile } = device;
  const signal = signals[profile];
  const timestamp = time.getTime();
  const base = signal.low + noise(`${number}/base`) * (signal.high - signal.low);
  const phase = noise(`${number}/phase`);
  const wave = Math.sin(2 * Math.PI * (timestamp / DAY + phase)) * signal.swing;
  const value = base + wave + (noise(`${number}/${timestamp}`) - 0.5) * 2 * signal.jitter;
  // The voltage of a lithium cell falls from 3.65 V by about 0.25 V over two years. The age differs for each device.
  const batteryAge = (timestamp / (730 * DAY) + noise(`${number}/battery`)) % 1;
  const battery = 3.65 - 0.25 * batteryAge;

  const content = new Uint8Array(8);
  const view = new DataView(content.buffer);
  view.setUint8(0, 0x10 + payloadProfiles.indexOf(profile));
  view.setUint16(1, Math.round(battery * 1000));
  view.setInt32(3, Math.round(value * 100));
  view.setUint8(7, Math.floor(noise(`${number}/${timestamp}/sequence`) * 256));
  return {
    content,
    fields: { [signal.field]: Math.round(value * 100) / 100, battery: Math.round(battery * 1000) / 1000 },
    metadata: {
      fPort: profile === 'gateway' ? 1 : 2,
      rssi: -60 - Math.round(noise(`${number}/rssi/${Math.floor(timestamp / DAY)}`) * 55),
      snr: Math.round((noise(`${number}/${timestamp}/snr`) * 16 - 4) * 10) / 10,
      spreadingFactor: 7 + Math.floor(noise(`${number}/sf`) * 6),
    },
  };
}
