import { ProcessPoint_Type as PointType } from '#proto/gen/hiber/process_point_pb.ts';
import type { PayloadProfile } from '#server/demo/simulator/payload.ts';

/** A kind of device at a well or site in the demo's fleet. */
export interface Instrument {
  /** The first part of the device's name, as in 'Casing pressure, Kestrel 14'. */
  readonly measures: string;
  readonly profile: PayloadProfile;
  /** Modem.Type number. */
  readonly type: 2 | 3 | 4;
  /** The device type identifier. */
  readonly deviceType: string;
  readonly brand: string;
  /** Value.Numeric.Type numbers. */
  readonly numericValueTypes: readonly number[];
  /** Messages per 24 hours. */
  readonly rate: number;
  readonly peripherals: Readonly<Record<string, string>>;
  /** The process point that it measures, if any, such as 'casing' of the well 'Kestrel 14'. */
  readonly point?: { readonly name: string; readonly type: PointType };
}

const GATEWAY_TYPE = 2;
const SENSOR_TYPE = 3;
const VALVE_TYPE = 4;
// Value.Numeric.Type
const TEMPERATURE = 2;
const PRESSURE = 4;
const PERCENTAGE = 1;

const pressureSensor = (measures: string, name: string, type: PointType): Instrument => ({
  measures,
  profile: 'pressure',
  type: SENSOR_TYPE,
  deviceType: 'pressure-lora-2',
  brand: 'Nordlys Instruments',
  numericValueTypes: [TEMPERATURE, PRESSURE],
  rate: 24,
  peripherals: { 'pressure transducer': 'PT-400', antenna: '3 dBi' },
  point: { name, type },
});

/** The instruments of a well, in this order. */
export const wellInstruments: readonly Instrument[] = [
  pressureSensor('Casing pressure', 'casing', PointType.WELL_CASING),
  pressureSensor('Annulus A pressure', 'annulus A', PointType.WELL_ANNULUS_A),
  pressureSensor('Annulus B pressure', 'annulus B', PointType.WELL_ANNULUS_B),
  pressureSensor('Tubing pressure', 'tubing', PointType.WELL_TUBING),
  {
    measures: 'Flow line temperature',
    profile: 'temperature',
    type: SENSOR_TYPE,
    deviceType: 'temperature-lora-1',
    brand: 'Sensara',
    numericValueTypes: [TEMPERATURE],
    rate: 24,
    peripherals: { thermocouple: 'K-12', antenna: '3 dBi' },
    point: { name: 'flow line', type: PointType.WELL_FLOW_LINE },
  },
  {
    measures: 'Choke position',
    profile: 'level',
    type: SENSOR_TYPE,
    deviceType: 'position-lora-1',
    brand: 'Petrotrace',
    numericValueTypes: [PERCENTAGE],
    rate: 12,
    peripherals: { antenna: '3 dBi' },
    point: { name: 'choke', type: PointType.WELL_HEAD },
  },
  {
    measures: 'Separator level',
    profile: 'level',
    type: SENSOR_TYPE,
    deviceType: 'level-lora-3',
    brand: 'Sensara',
    numericValueTypes: [PERCENTAGE],
    rate: 24,
    peripherals: { 'level probe': 'LP-8', antenna: '3 dBi' },
    point: { name: 'separator', type: PointType.PRODUCTION_LINE },
  },
];

/** Replaces the last instrument at every fourth well. */
export const valve: Instrument = {
  measures: 'Wing valve',
  profile: 'valve',
  type: VALVE_TYPE,
  deviceType: 'valve-actuator-1',
  brand: 'Petrotrace',
  numericValueTypes: [PRESSURE],
  rate: 8,
  peripherals: { actuator: 'HP-2', antenna: '3 dBi' },
  point: { name: 'wing valve', type: PointType.WELL_TUBING_HEAD },
};

/** A gateway that several wells share. */
export const gateway: Instrument = {
  measures: 'Gateway',
  profile: 'gateway',
  type: GATEWAY_TYPE,
  deviceType: 'gateway-sat-4',
  brand: 'Gatehouse',
  numericValueTypes: [TEMPERATURE],
  rate: 48,
  peripherals: { GPS: '', 'solar panel': '20 W', 'satellite modem': '2.1', antenna: '6 dBi' },
};

export const WELLS_PER_GATEWAY = 3;
