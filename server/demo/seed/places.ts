/** A production area in the demo. The areas are real, but their operators, sites, and wells are fictional. */
export interface Area {
  /** The name of the area's tag, which is of type production_area. */
  readonly name: string;
  readonly latitude: number;
  readonly longitude: number;
  /** Half the width and height, in degrees. */
  readonly halfExtent: number;
  readonly timeZone: string;
  /** The LoRaWAN frequency plan for the region, as a Modem.ConnectedDeviceInfo.Frequency number. */
  readonly frequency: number;
}

const EUROPE = 5; // EU868
const AMERICA = 7; // US915
const SOUTH_AMERICA = 1; // AU915

export const areas: readonly [Area, ...Area[]] = [
  {
    name: 'North field',
    latitude: 52.88,
    longitude: 6.62,
    halfExtent: 0.12,
    timeZone: 'Europe/Amsterdam',
    frequency: EUROPE,
  },
  {
    name: 'Groningen',
    latitude: 53.29,
    longitude: 6.74,
    halfExtent: 0.14,
    timeZone: 'Europe/Amsterdam',
    frequency: EUROPE,
  },
  {
    name: 'K12 block',
    latitude: 53.36,
    longitude: 3.9,
    halfExtent: 0.1,
    timeZone: 'Europe/Amsterdam',
    frequency: EUROPE,
  },
  { name: 'Forties', latitude: 57.73, longitude: 0.95, halfExtent: 0.12, timeZone: 'Europe/London', frequency: EUROPE },
  { name: 'Tampen', latitude: 61.2, longitude: 2.05, halfExtent: 0.15, timeZone: 'Europe/Oslo', frequency: EUROPE },
  {
    name: 'Midland basin',
    latitude: 31.94,
    longitude: -102.03,
    halfExtent: 0.25,
    timeZone: 'America/Chicago',
    frequency: AMERICA,
  },
  {
    name: 'Delaware basin',
    latitude: 31.62,
    longitude: -103.62,
    halfExtent: 0.25,
    timeZone: 'America/Chicago',
    frequency: AMERICA,
  },
  {
    name: 'Vaca Muerta',
    latitude: -38.42,
    longitude: -68.93,
    halfExtent: 0.2,
    timeZone: 'America/Argentina/Salta',
    frequency: SOUTH_AMERICA,
  },
];

/** Sites are named after birds, and the wells of each site are numbered. */
export const siteNames: readonly string[] = (
  'Kestrel Osprey Heron Avocet Tern Marsh Curlew Plover Gannet Petrel Skua Fulmar Dunlin Merlin ' +
  'Bittern Lapwing Egret Sandpiper Puffin Cormorant Harrier Kingfisher Godwit Eider Shearwater ' +
  'Turnstone Whimbrel Redshank Goshawk Buzzard Falcon Grebe Pelican Ibis Stork Crane Swift Martin ' +
  'Starling Nightjar Oriole Siskin Linnet Wagtail Dipper Ouzel Raven Magpie'
).split(' ');
