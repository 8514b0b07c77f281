import type { PayloadProfile } from '#server/demo/simulator/payload.ts';

/** A kind of device at a well or site, as the demo's fleet has them. */
export interface Instrument {
  /** First part of the device's name: 'Casing pressure, Kestrel 14'. */
  measures: string;
  profile: PayloadProfile;
  /** Modem.Type number. */
  type: 2 | 3 | 4;
  /** Device type identifier. */
  deviceType: string;
  brand: string;
  /** Value.Numeric.Type numbers. */
  numericValueTypes: readonly number[];
  /** Messages per 24 hours. */
  rate: number;
  peripherals: Readonly<Record<string, string>>;
}

const gatewayType = 2;
const sensorType = 3;
const valveType = 4;
// Value.Numeric.Type
const temperature = 2;
const pressure = 4;
const percentage = 1;

const pressureSensor = (measures: string): Instrument => ({
  measures,
  profile: 'pressure',
  type: sensorType,
  deviceType: 'pressure-lora-2',
  brand: 'Nordlys Instruments',
  numericValueTypes: [pressure],
  rate: 24,
  peripherals: { 'pressure transducer': 'PT-400', antenna: '3 dBi' },
});

/** Seven a well, in this order. */
export const wellInstruments: readonly Instrument[] = [
  pressureSensor('Casing pressure'),
  pressureSensor('Annulus A pressure'),
  pressureSensor('Annulus B pressure'),
  pressureSensor('Tubing pressure'),
  {
    measures: 'Flow line temperature',
    profile: 'temperature',
    type: sensorType,
    deviceType: 'temperature-lora-1',
    brand: 'Sensara',
    numericValueTypes: [temperature],
    rate: 24,
    peripherals: { thermocouple: 'K-12', antenna: '3 dBi' },
  },
  {
    measures: 'Choke position',
    profile: 'level',
    type: sensorType,
    deviceType: 'position-lora-1',
    brand: 'Petrotrace',
    numericValueTypes: [percentage],
    rate: 12,
    peripherals: { antenna: '3 dBi' },
  },
  {
    measures: 'Separator level',
    profile: 'level',
    type: sensorType,
    deviceType: 'level-lora-3',
    brand: 'Sensara',
    numericValueTypes: [percentage],
    rate: 24,
    peripherals: { 'level probe': 'LP-8', antenna: '3 dBi' },
  },
];

/** In place of the last instrument at every fourth well. */
export const valve: Instrument = {
  measures: 'Wing valve',
  profile: 'valve',
  type: valveType,
  deviceType: 'valve-actuator-1',
  brand: 'Petrotrace',
  numericValueTypes: [pressure],
  rate: 8,
  peripherals: { actuator: 'HP-2', antenna: '3 dBi' },
};

/** One for every three wells. */
export const gateway: Instrument = {
  measures: 'Gateway',
  profile: 'gateway',
  type: gatewayType,
  deviceType: 'gateway-sat-4',
  brand: 'Gatehouse',
  numericValueTypes: [temperature],
  rate: 48,
  peripherals: { GPS: '', 'solar panel': '20 W', 'satellite modem': '2.1', antenna: '6 dBi' },
};

export const wellsPerGateway = 3;
