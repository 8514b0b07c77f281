/**
 * The payloads of demo devices. A payload depends only on the device and the time, so the seeded and the simulated
 * messages form one continuous signal.
 */

export const payloadProfiles = ['pressure', 'temperature', 'flow', 'level', 'gateway', 'valve'] as const;
export type PayloadProfile = (typeof payloadProfiles)[number];

interface Payload {
  readonly content: Uint8Array;
  /** The result of the family's parser; undefined if there is no parser or the content is broken. */
  readonly result: Readonly<Record<string, number | string>> | undefined;
  /** The values that a network server reports along with the bytes. */
  readonly metadata: { fPort: number; rssi: number; snr: number; spreadingFactor: number };
}

/** The profiles with a parser (seed/parsers.ts). */
export const payloadFamilies = ['pressure', 'temperature', 'level', 'valve'] as const;
export type PayloadFamily = (typeof payloadFamilies)[number];

export const familyOf = (profile: unknown): PayloadFamily | undefined =>
  payloadFamilies.find((family) => family === profile);

/** The fraction of messages that arrive with only their first bytes. */
const BROKEN_FRACTION = 0.002;
/** The length of a broken payload: the frame type and the high byte of the battery voltage. */
const BROKEN_BYTES = 2;

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
 * The range of the devices' base values, the daily swing, and the jitter of each profile, all in the profile's unit.
 */
const signals: Record<PayloadProfile, { low: number; high: number; swing: number; jitter: number }> = {
  pressure: { low: 4, high: 180, swing: 1.5, jitter: 0.4 },
  temperature: { low: 18, high: 85, swing: 6, jitter: 0.5 },
  flow: { low: 2, high: 60, swing: 3, jitter: 0.8 },
  level: { low: 15, high: 90, swing: 8, jitter: 0.6 },
  gateway: { low: 28, high: 48, swing: 7, jitter: 0.7 },
  valve: { low: 20, high: 140, swing: 1, jitter: 0.3 },
};

const hundredths = (value: number): number => Math.round(value * 100);

/**
 * Returns the payload that the device sends at the given time. Every frame starts with its type and the battery's
 * voltage, and ends with a sequence number.
 */
export function createPayload(device: { number: string; profile: PayloadProfile }, time: Date): Payload {
  const { number, profile } = device;
  const signal = signals[profile];
  const timestamp = time.getTime();
  const base = signal.low + noise(`${number}/base`) * (signal.high - signal.low);
  const phase = noise(`${number}/phase`);
  const wave = Math.sin(2 * Math.PI * (timestamp / DAY + phase));
  const value = hundredths(base + wave * signal.swing + (noise(`${number}/${timestamp}`) - 0.5) * 2 * signal.jitter);
  // The voltage of a lithium cell falls from 3.65 V by about 0.25 V over two years. The age differs for each device.
  const batteryAge = (timestamp / (730 * DAY) + noise(`${number}/battery`)) % 1;
  const battery = Math.round(1000 * (3.65 - 0.25 * batteryAge));
  const frame = 0x10 + payloadProfiles.indexOf(profile);
  const sequence = Math.floor(noise(`${number}/${timestamp}/sequence`) * 256);
  const { bytes, fields } = measurement(profile, number, timestamp, value, wave);

  const content = Uint8Array.from([frame, battery >> 8, battery & 0xff, ...bytes, sequence]);
  const isBroken = noise(`${number}/${timestamp}/broken`) < BROKEN_FRACTION;
  const hasResult = familyOf(profile) !== undefined && !isBroken;
  return {
    content: isBroken ? content.slice(0, BROKEN_BYTES) : content,
    result: hasResult ? { frame, battery, sequence, ...fields } : undefined,
    metadata: {
      fPort: profile === 'gateway' ? 1 : 2,
      rssi: -60 - Math.round(noise(`${number}/rssi/${Math.floor(timestamp / DAY)}`) * 55),
      snr: Math.round((noise(`${number}/${timestamp}/snr`) * 16 - 4) * 10) / 10,
      spreadingFactor: 7 + Math.floor(noise(`${number}/sf`) * 6),
    },
  };
}

/** The states of a valve, in the order of their numbers in the frame. Valves are open most of the time. */
const valveStates = ['closed', 'opening', 'open', 'closing'] as const;
const OPEN = 2;
const CLOSED_FRACTION = 0.08;

interface Measurement {
  readonly bytes: readonly number[];
  readonly fields: Readonly<Record<string, number | string>>;
}

/** Encodes the measured value, in hundredths of the profile's unit, and the profile's other measurements. */
function measurement(
  profile: PayloadProfile,
  number: string,
  timestamp: number,
  value: number,
  wave: number,
): Measurement {
  const raw = bigEndian(value, 4);
  switch (profile) {
    case 'pressure': {
      // The transducer's temperature rises and falls over the day.
      const temperature = hundredths(12 + noise(`${number}/climate`) * 12 + wave * 5);
      return {
        bytes: [...raw, ...bigEndian(temperature, 2)],
        fields: {
          raw_pressure: value,
          raw_temperature: temperature,
          pressure: value / 100,
          temperature: temperature / 100,
        },
      };
    }
    case 'temperature':
      return { bytes: raw, fields: { raw_temperature: value, temperature: value / 100 } };
    case 'level':
      return { bytes: raw, fields: { raw_level: value, level: value / 100 } };
    case 'valve': {
      const isClosed = noise(`${number}/valve/${Math.floor(timestamp / DAY)}`) < CLOSED_FRACTION;
      const state = isClosed ? 0 : OPEN;
      return {
        bytes: [...raw, state],
        fields: { raw_line_pressure: value, line_pressure: value / 100, state: valveStates[state] },
      };
    }
    default:
      return { bytes: raw, fields: {} };
  }
}

/** Encodes a signed integer. */
function bigEndian(value: number, length: 2 | 4): number[] {
  const view = new DataView(new ArrayBuffer(4));
  view.setInt32(0, value);
  return [...new Uint8Array(view.buffer)].slice(4 - length);
}
