import { describe, expect, test } from 'vitest';
import type { DescMessage } from '@bufbuild/protobuf';
import { files, message } from './registry.ts';

/** Message, number and name of every field that held an asset, the deprecated duplicate of a process point. */
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

/** Deprecated, yet here: a client has to send these, or delivered event JSON still carries them. */
const keptFields = [
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
  // The end of a range is exclusive in a descriptor.
  proto.reservedRange.flatMap(({ start, end }) => Array.from({ length: end - start }, (_, index) => start + index));

describe('leftovers', () => {
  test.each(assetFields)('%s keeps number %i from reuse', (name, number, field) => {
    const desc = message(name);
    expect(reservedNumbers(desc)).toContain(number);
    expect(desc.proto.reservedName).toContain(field);
    expect(desc.fields.map((other) => other.number)).not.toContain(number);
  });

  test('asset messages are not there at all', () => {
    expect(files.filter((file) => file.proto.package.startsWith('hiber.asset'))).toEqual([]);
  });

  test.each(keptFields)('%s still has %s, marked deprecated', (name, field) => {
    expect(message(name).fields.find((other) => other.name === field)?.deprecated).toBe(true);
  });
});
