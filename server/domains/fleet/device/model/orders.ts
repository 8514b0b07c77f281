import { Sort as DeviceSort } from '#proto/gen/hiber/device_pb.ts';
import { ListModemsRequest_Sort as ModemSort } from '#proto/gen/hiber/modem_pb.ts';

/** The sort keys for devices. */
type SortKey =
  | 'name'
  | 'number'
  | 'activity'
  | 'lifecycle'
  | 'lifecycle-name'
  | 'organization'
  | 'process-point'
  | 'health'
  | 'health-name'
  | 'brand'
  | 'type'
  | 'well'
  | 'site'
  | 'production_area';

export interface Order {
  readonly key: SortKey;
  readonly descending: boolean;
}

const ascending = (key: SortKey): Order => ({ key, descending: false });
const descending = (key: SortKey): Order => ({ key, descending: true });

const modemOrders: Record<ModemSort, Order> = {
  [ModemSort.LAST_MESSAGE_RECEIVED]: descending('activity'),
  [ModemSort.LAST_MESSAGE_RECEIVED_INVERTED]: ascending('activity'),
  [ModemSort.MODEM_NUMBER_ASC]: ascending('number'),
  [ModemSort.MODEM_NUMBER_DESC]: descending('number'),
  [ModemSort.STATUS_ASC]: ascending('lifecycle'),
  [ModemSort.STATUS_DESC]: descending('lifecycle'),
  [ModemSort.STATUS_ASC_ALPHABETICAL]: ascending('lifecycle-name'),
  [ModemSort.STATUS_DESC_ALPHABETICAL]: descending('lifecycle-name'),
  [ModemSort.MODEM_NAME_ASC]: ascending('name'),
  [ModemSort.MODEM_NAME_DESC]: descending('name'),
  [ModemSort.ORGANIZATION_ASC]: ascending('organization'),
  [ModemSort.ORGANIZATION_DESC]: descending('organization'),
  [ModemSort.PROCESS_POINT_ASC]: ascending('process-point'),
  [ModemSort.PROCESS_POINT_DESC]: descending('process-point'),
  [ModemSort.HEALTH]: ascending('health'),
  [ModemSort.HEALTH_DESC]: descending('health'),
  [ModemSort.HEALTH_ASC_ALPHABETICAL]: ascending('health-name'),
  [ModemSort.HEALTH_DESC_ALPHABETICAL]: descending('health-name'),
  [ModemSort.SENSOR_BRAND_ASC]: ascending('brand'),
  [ModemSort.SENSOR_BRAND_DESC]: descending('brand'),
  [ModemSort.DEVICE_TYPE_ASC]: ascending('type'),
  [ModemSort.DEVICE_TYPE_DESC]: descending('type'),
  [ModemSort.TAG_TYPE_WELL_ASC]: ascending('well'),
  [ModemSort.TAG_TYPE_WELL_DESC]: descending('well'),
  [ModemSort.TAG_TYPE_SITE_ASC]: ascending('site'),
  [ModemSort.TAG_TYPE_SITE_DESC]: descending('site'),
  [ModemSort.TAG_TYPE_PRODUCTION_AREA_ASC]: ascending('production_area'),
  [ModemSort.TAG_TYPE_PRODUCTION_AREA_DESC]: descending('production_area'),
};

const deviceOrders: Record<DeviceSort, Order> = {
  [DeviceSort.DEVICE_NAME_ASC]: ascending('name'),
  [DeviceSort.DEVICE_NAME_DESC]: descending('name'),
  [DeviceSort.DEVICE_NUMBER_ASC]: ascending('number'),
  [DeviceSort.DEVICE_NUMBER_DESC]: descending('number'),
  [DeviceSort.ACTIVITY]: descending('activity'),
  [DeviceSort.INACTIVITY]: ascending('activity'),
  [DeviceSort.LIFECYCLE_ASC]: ascending('lifecycle'),
  [DeviceSort.LIFECYCLE_DESC]: descending('lifecycle'),
  [DeviceSort.LIFECYCLE_ALPHABETICAL_ASC]: ascending('lifecycle-name'),
  [DeviceSort.LIFECYCLE_ALPHABETICAL_DESC]: descending('lifecycle-name'),
  [DeviceSort.ORGANIZATION_ASC]: ascending('organization'),
  [DeviceSort.ORGANIZATION_DESC]: descending('organization'),
  [DeviceSort.PROCESS_POINT_ASC]: ascending('process-point'),
  [DeviceSort.PROCESS_POINT_DESC]: descending('process-point'),
  [DeviceSort.HEALTH_ASC]: ascending('health'),
  [DeviceSort.HEALTH_DESC]: descending('health'),
  [DeviceSort.HEALTH_ALPHABETICAL_ASC]: ascending('health-name'),
  [DeviceSort.HEALTH_ALPHABETICAL_DESC]: descending('health-name'),
  [DeviceSort.SENSOR_BRAND_ASC]: ascending('brand'),
  [DeviceSort.SENSOR_BRAND_DESC]: descending('brand'),
  [DeviceSort.DEVICE_TYPE_ASC]: ascending('type'),
  [DeviceSort.DEVICE_TYPE_DESC]: descending('type'),
  [DeviceSort.TAG_TYPE_WELL_ASC]: ascending('well'),
  [DeviceSort.TAG_TYPE_WELL_DESC]: descending('well'),
  [DeviceSort.TAG_TYPE_SITE_ASC]: ascending('site'),
  [DeviceSort.TAG_TYPE_SITE_DESC]: descending('site'),
  [DeviceSort.TAG_TYPE_PRODUCTION_AREA_ASC]: ascending('production_area'),
  [DeviceSort.TAG_TYPE_PRODUCTION_AREA_DESC]: descending('production_area'),
};

/** The valid sorts of a request, for `sorted_by`, and the corresponding orders. */
export interface Sorting<S> {
  readonly sortedBy: S[];
  readonly orders: Order[];
}

export const parseModemSort = (requestedSorts: readonly ModemSort[]): Sorting<ModemSort> =>
  resolveSort(requestedSorts, modemOrders, ModemSort.LAST_MESSAGE_RECEIVED);

export const parseDeviceSort = (requestedSorts: readonly DeviceSort[]): Sorting<DeviceSort> =>
  resolveSort(requestedSorts, deviceOrders, DeviceSort.DEVICE_NAME_ASC);

/**
 * Defaults to the zero value (contract: Pagination). Ignores values that aren't in the contract, and repeated sorts by
 * the same key.
 */
function resolveSort<S extends number>(
  requestedSorts: readonly S[],
  orders: Record<S, Order>,
  defaultSort: S,
): Sorting<S> {
  const seen = new Set<SortKey>();
  const validSorts = requestedSorts.filter((sort) => {
    const key = (orders[sort] as Order | undefined)?.key;
    if (key === undefined || seen.has(key)) return false;
    seen.add(key);
    return true;
  });
  const sortedBy = validSorts.length > 0 ? validSorts : [defaultSort];
  return { sortedBy, orders: sortedBy.map((sort) => orders[sort]) };
}
