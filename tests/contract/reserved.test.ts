import { type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';

import { files, message } from './registry.ts';

/** The message, number, and name of every field for assets, the deprecated duplicate of process points. */
const assetFields = [
  ['hiber.assign.AssignmentSelection', 6, 'assets'],
  ['hiber.assign.Assign.Request', 9, 'assign_assets'],
  ['hiber.assign.Assign.Request', 12, 'to_assets'],
  ['hiber.assign.Unassign.Request', 9, 'unassign_assets'],
  ['hiber.assign.Unassign.Request', 11, 'from_assets'],
  ['hiber.assign.DeleteAssignment.Request', 9, 'unassign_assets'],
  ['hiber.assign.DeleteAssignment.Request', 11, 'from_assets'],
  ['hiber.event.Event.AssetEvent.AssetCreatedEvent', 3, 'asset'],
  ['hiber.event.Event.AssetEvent.AssetUpdatedEvent.Update', 6, 'type'],
  ['hiber.field.ListFieldsForAsset.Request', 2, 'asset_selection'],
  ['hiber.modem.alarm.AssignModemAlarms.Request', 5, 'assets'],
  ['hiber.modem.alarm.UnassignModemAlarms.Request', 4, 'assets'],
  ['hiber.value.ValueSelection', 7, 'assets'],
  ['hiber.value.ValueContext.ValueAssetContext', 3, 'type'],
] as const;

/** Deprecated fields that must stay because clients have to send them, or because event JSON contains them. */
const requiredFields = [
  ['hiber.assign.ListAssignments.Request', 'use_process_point'],
  ['hiber.event.ListEventsRequest', 'use_process_point'],
  ['hiber.event.EventStreamRequest', 'use_process_point'],
  ['hiber.event.EventHistory.Request', 'use_process_point'],
  ['hiber.event.ModemHealthEvents.Request', 'use_process_point'],
  ['hiber.export.ListExports.Request', 'use_process_point_in_configuration'],
  ['hiber.event.Event', 'is_error'],
  ['hiber.event.Event', 'is_warning'],
  ['hiber.event.Event.MessageEvent.MessageReceivedEvent', 'modem_number'],
  ['hiber.event.Event.PublisherEvent.UpdatedEvent', 'partial_update_data'],
  ['hiber.publisher.Publisher', 'deprecated_data'],
  ['hiber.health.HealthLevel', 'color'],
] as const;

const reservedNumbers = ({ proto }: DescMessage) =>
  // The end of a range in a descriptor is exclusive.
  proto.reservedRange.flatMap(({ start, end }) => Array.from({ length: end - start }, (_, index) => start + index));

/** Deprecated fields that are still supported, as in the contract: message, number, name, and type. */
const supportedFields = [
  ['hiber.event.BundledEvent', 2, 'deprecated_amount', 'int32'],
  ['hiber.event.BundledEvent', 5, 'deprecated_last_event', 'hiber.Timestamp'],
  ['hiber.event.BundledEvent', 6, 'deprecated_approximated_amount', 'bool'],
  ['hiber.event.EventSelection', 7, 'errors_only', 'bool'],
  ['hiber.event.EventSelection', 8, 'unbundled_events', 'bool'],
  ['hiber.event.EventSelection', 10, 'warnings_only', 'bool'],
  ['hiber.message.Message', 8, 'body', 'bytes'],
  ['hiber.modem.Modem', 20, 'is_gateway', 'bool'],
  ['hiber.modem.Modem', 21, 'is_device_connected_to_gateway', 'bool'],
  ['hiber.modem.Modem', 22, 'connected_to_gateway', 'string'],
  ['hiber.modem.Modem.GatewayInfo', 2, 'device_type', 'string'],
  ['hiber.modem.Modem.GatewayInfo', 4, 'external_device_ids', 'string'],
  ['hiber.modem.Modem.ConnectedDeviceInfo', 2, 'external_device_ids', 'string'],
  ['hiber.modem.Modem.ConnectedDeviceInfo', 3, 'device_type', 'string'],
  ['hiber.modem.ModemSelection', 4, 'only_active', 'bool'],
  ['hiber.modem.ModemSelection', 5, 'activated_in', 'hiber.TimeRange'],
  ['hiber.modem.ModemSelection', 12, 'only_gateways', 'bool'],
  ['hiber.modem.ModemSelection', 13, 'only_has_external_device_ids', 'bool'],
  ['hiber.modem.ModemSelection', 15, 'external_device_ids', 'string'],
  ['hiber.modem.ModemMessageSelection', 1, 'modems', 'hiber.Filter.Modems'],
  ['hiber.modem.GetModemRequest', 4, 'child_organizations', 'hiber.Filter.ChildOrganizations'],
  ['hiber.tag.ListTagsRequest', 5, 'asset_count', 'bool'],
  ['hiber.tag.TagHealth', 4, 'asset_count', 'uint32'],
  ['hiber.tag.TagHealth.Request', 3, 'asset_count', 'bool'],
] as const;

describe('removed and deprecated fields', () => {
  test.each(assetFields)('%s reserves number %i', (name, number, field) => {
    const desc = message(name);
    expect(reservedNumbers(desc)).toContain(number);
    expect(desc.proto.reservedName).toContain(field);
    expect(desc.fields.map((descField) => descField.number)).not.toContain(number);
  });

  test('asset messages do not exist', () => {
    expect(files.filter((file) => file.proto.package.startsWith('hiber.asset'))).toEqual([]);
  });

  test.each(supportedFields)(
    '%s has field %i, %s of type %s, marked as deprecated',
    (name, number, fieldName, type) => {
      const field = message(name).fields.find((descField) => descField.number === number);
      expect(field).toMatchObject({ name: fieldName, deprecated: true });
      const scalar =
        field && 'scalar' in field && field.scalar !== undefined ? ScalarType[field.scalar].toLowerCase() : '';
      expect(field?.message?.typeName ?? scalar).toBe(type);
    },
  );

  test.each(requiredFields)('%s has %s, marked as deprecated', (name, field) => {
    expect(message(name).fields.find((descField) => descField.name === field)?.deprecated).toBe(true);
  });
});
