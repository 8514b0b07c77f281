import type { DeviceType } from '#proto/gen/hiber/device_type_pb.ts';

/** A device type, which the service converts to a message. */
export type CatalogueEntry = Omit<DeviceType, '$typeName' | '$unknown'>;

const entry = (
  identifier: string,
  brand: string,
  application: string,
  category: string,
  version: string,
  description: string,
  gateway = false,
): CatalogueEntry => ({ identifier, brand, application, category, version, description, gateway });

/** The preconfigured device types. The contract offers no way to change them, so they are part of the program. */
export const catalogue: readonly CatalogueEntry[] = [
  entry(
    'gateway-sat-4',
    'Gatehouse',
    'Satellite gateway',
    'gateway',
    '4.2',
    'Relays LoRaWAN sensors over satellite, and reports its own temperature and voltage.',
    true,
  ),
  entry(
    'level-lora-3',
    'Sensara',
    'Separator and tank level',
    'level',
    '3.0',
    'Level probe with a LoRaWAN radio: level in percent, and battery.',
  ),
  entry(
    'position-lora-1',
    'Petrotrace',
    'Choke position',
    'position',
    '1.4',
    'Position sensor with a LoRaWAN radio: opening in percent, and battery.',
  ),
  entry(
    'pressure-lora-2',
    'Nordlys Instruments',
    'Casing, annulus, and tubing pressure',
    'pressure',
    '2.1',
    'Pressure transducer with a LoRaWAN radio: pressure in bar, temperature, and battery.',
  ),
  entry(
    'temperature-lora-1',
    'Sensara',
    'Flow line temperature',
    'temperature',
    '1.2',
    'Thermocouple with a LoRaWAN radio: temperature in degrees Celsius, and battery.',
  ),
  entry(
    'valve-actuator-1',
    'Petrotrace',
    'Wing valve',
    'valve',
    '1.0',
    'Valve actuator with a high-pressure line: state of the valve, and line pressure.',
  ),
];
