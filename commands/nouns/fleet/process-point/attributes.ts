import { create, fromJson } from '@bufbuild/protobuf';
import { ValueSchema } from '@bufbuild/protobuf/wkt';

import { attributes } from '#commands/kit/attributes.ts';
import type { EditableField } from '#commands/kit/edit-command.ts';
import { jsonLines } from '#commands/kit/json-lines.ts';
import { parsePoint } from '#commands/kit/location.ts';
import { formatMetadata, metadataText, parseMetadata, type MetadataPairs } from '#commands/kit/metadata-pairs.ts';
import { organizationLinks, organizationText } from '#commands/kit/organization-names.ts';
import type { ArgValue } from '#commands/model/arg-value.ts';
import { p } from '#commands/model/params.ts';
import { enumName, toMs, textOf } from '#commands/model/wire.ts';
import { tagLabels } from '#commands/nouns/fleet/tag/item.ts';
import { MAX_LENGTH } from '#commands/text/lengths.ts';
import { formatLocation } from '#commands/text/location.ts';
import { message } from '#commands/text/message.ts';
import { LocationSchema } from '#proto/gen/hiber/base_pb.ts';
import { ProcessPoint_Type, type ProcessPoint_AssignedDevice } from '#proto/gen/hiber/process_point_pb.ts';
import type { UpdateProcessPoint } from '#proto/gen/hiber/process_point_service_pb.ts';
import type { Tag } from '#proto/gen/hiber/tag_pb.ts';
import { Value_Numeric_RateSchema } from '#proto/gen/hiber/value_pb.ts';
import type { ValueContext } from '#proto/gen/hiber/value_service_pb.ts';

import { organizationIdOf, otherTags, tagsOfType, type PointItem, type PointSelection } from './item.ts';
import { pointParams, TYPES, typeLabels, type TypeName } from './params.ts';

export interface PointField extends EditableField<PointItem> {
  /** Writes the value into the contract's update of `items`. An empty or zero value clears the field. */
  write(update: UpdateProcessPoint, value: ArgValue, items: readonly PointItem[]): void;
}

const EDIT = 'process-point.edit';

const deviceName = ({ name, number }: ProcessPoint_AssignedDevice): string => name || number;

/** The devices of a point, as names and as links. */
function deviceNames(devicesOf: (item: PointItem) => readonly ProcessPoint_AssignedDevice[]) {
  return {
    kind: 'text' as const,
    value: (item: PointItem) => [...new Set(devicesOf(item).map(deviceName))].join(', ') || undefined,
    links: (item: PointItem) =>
      [...new Map(devicesOf(item).map((device) => [device.number, device])).values()].map((device) => ({
        entity: 'device',
        id: device.number,
        name: deviceName(device),
        organization: organizationIdOf(item),
      })),
  };
}

const tagNames = (tags: readonly Tag[]): string | undefined =>
  tags.map(({ label }) => label?.name).join(', ') || undefined;

/** The tags of one of the types that a list can be sorted by. */
function typedTags(type: string, sort: string) {
  return {
    kind: 'text' as const,
    value: (item: PointItem) => tagNames(tagsOfType(item, type)),
    links: (item: PointItem) =>
      tagsOfType(item, type).map((tag) => ({
        entity: 'tag',
        id: `${tag.id}`,
        name: tag.label?.name ?? '',
        organization: organizationIdOf(item),
      })),
    column: { width: 110, grow: 1, sort },
    detail: 'place' as const,
  };
}

function numericText({ valueType }: ValueContext): string {
  const value = valueType.case === 'value' ? valueType.value.value : undefined;
  return value?.case === 'numeric' ? value.value.textual : '';
}

const valuesText = ({ values }: PointItem): string | undefined =>
  values.map(numericText).filter(Boolean).join(' · ') || undefined;

/** The newest value of any type. */
const newestValue = ({ values }: PointItem): ValueContext | undefined =>
  values.toSorted((a, b) => (toMs(b.time) ?? 0) - (toMs(a.time) ?? 0))[0];

export const pointAttributes = attributes<PointItem, PointSelection, PointField>({
  health: {
    kind: 'health',
    value: ({ health }) => health,
    level: ({ level }) => level,
    column: { width: 28 },
    detail: 'state',
  },
  name: {
    kind: 'text',
    value: ({ point }) => point.name,
    column: { width: 180, grow: 2, sort: 'name' },
    detail: 'identity',
    edit: 'process-point.rename',
    field: {
      param: p.text({ clears: true, maxLength: MAX_LENGTH.deviceName }),
      current: ({ point }) => point.name,
      // A point without a name is named after its identifier, as a device is after its number.
      whenCleared: ({ point }) => point.identifier,
      write: (update, value) => (update.updateName = (value as string).trim()),
    },
  },
  type: {
    kind: 'text',
    value: ({ point }) => (point.type ? typeLabels.text(point.type) : undefined),
    column: { width: 130, grow: 1, sort: 'type' },
    detail: 'about',
    edit: EDIT,
    field: {
      param: p.choice([...TYPES, 'UNKNOWN'], { label: typeLabels.byName }),
      current: ({ point }) => enumName(ProcessPoint_Type, point.type ?? ProcessPoint_Type.UNKNOWN),
      write: (update, value) => (update.updateType = ProcessPoint_Type[value as TypeName]),
    },
  },
  values: {
    kind: 'text',
    value: valuesText,
    column: { width: 152, comfortableWidth: 160, grow: 1 },
    detail: 'state',
  },
  last: {
    kind: 'age',
    value: (item) => textOf(newestValue(item)?.time),
    time: (item) => toMs(newestValue(item)?.time),
    column: { width: 90, sort: 'last' },
    detail: 'state',
  },
  well: typedTags('well', 'well'),
  site: typedTags('site', 'site'),
  area: typedTags('production_area', 'area'),
  devices: {
    ...deviceNames(({ point }) => point.devices),
    column: { width: 130, comfortableWidth: 190, grow: 1 },
    detail: 'reporting',
  },
  inactiveDevices: {
    ...deviceNames(({ point }) => point.inactiveDevices),
    column: { width: 130, comfortableWidth: 190, grow: 1, optional: true },
    detail: 'reporting',
  },
  // The other tags have their own columns.
  tags: {
    kind: 'tags',
    value: (item) => tagNames(otherTags(item)),
    tags: (item) => tagLabels(otherTags(item), organizationIdOf(item)),
    column: { width: 120, grow: 1 },
  },
  location: {
    kind: 'mono',
    value: ({ point }) => formatLocation(point.location?.textual),
    column: { width: 150, optional: true },
    detail: 'place',
    edit: EDIT,
    field: {
      param: pointParams.location,
      current: ({ point }) => formatLocation(point.location?.textual) ?? '',
      write: (update, value) => {
        const location = parsePoint(value as string);
        if (location) update.location = create(LocationSchema, location);
        else update.removeLocation = true;
      },
    },
  },
  timeZone: {
    kind: 'text',
    value: ({ point }) => point.timeZone,
    column: { width: 130, optional: true },
    detail: 'place',
    edit: EDIT,
    field: {
      param: pointParams.timeZone,
      current: ({ point }) => point.timeZone ?? '',
      write: (update, value) => (update.updateTimeZone = value as string),
    },
  },
  expectedRate: {
    kind: 'number',
    value: ({ point: { expectedTransmissionRate: rate } }) =>
      rate && message('process-point:perDay', { count: rate.value }),
    column: { width: 110, optional: true },
    detail: 'reporting',
    edit: EDIT,
    field: {
      param: pointParams.expectedRate,
      current: ({ point }) => point.expectedTransmissionRate?.value ?? 0,
      write: (update, value) =>
        (update.updateExpectedTransmissionRate = create(Value_Numeric_RateSchema, { value: value as number })),
    },
  },
  description: {
    kind: 'text',
    value: ({ point }) => point.description,
    column: { width: 150, grow: 1, optional: true },
    detail: 'about',
    edit: EDIT,
    field: {
      param: pointParams.description,
      current: ({ point }) => point.description ?? '',
      write: (update, value) => (update.updateDescription = value as string),
    },
  },
  metadata: {
    kind: 'text',
    value: ({ point }) => jsonLines(point.metadata) || undefined,
    column: { width: 150, grow: 1, optional: true },
    detail: 'notes',
    edit: 'process-point.set-metadata',
    field: {
      param: pointParams.metadata,
      current: ({ point }) => formatMetadata(point.metadata),
      text: (value) => metadataText(value as MetadataPairs),
      write: (update, value, items) => {
        const metadata = parseMetadata(value as MetadataPairs);
        addMetadata(update, metadata);
        const currentKeys = new Set(items.flatMap(({ point }) => Object.keys(point.metadata ?? {})));
        update.removeMetadataKeys = [...currentKeys].filter((key) => !Object.hasOwn(metadata, key));
      },
    },
  },
  notes: {
    kind: 'text',
    value: ({ point }) => point.notes,
    column: { width: 150, grow: 1, optional: true },
    detail: 'notes',
    edit: EDIT,
    field: {
      param: pointParams.notes,
      current: ({ point }) => point.notes ?? '',
      write: (update, value) => (update.updateNotes = value as string),
    },
  },
  files: {
    kind: 'text',
    value: ({ point }) => point.files.map(({ name, identifier }) => name || identifier).join(', ') || undefined,
    column: { width: 130, grow: 1, optional: true },
    detail: {
      group: 'notes',
      opens: ({ point }) =>
        point.files.map(({ name, identifier }) => ({
          name: name || identifier,
          invocation: {
            id: 'process-point.download-file',
            args: { processPoints: { ids: [point.identifier] }, file: identifier },
          },
        })),
    },
  },
  id: {
    kind: 'mono',
    value: ({ point }) => point.identifier,
    column: { width: 200, optional: true },
    detail: 'about',
  },
  organization: {
    kind: 'text',
    value: ({ point, organizations }) => organizationText(point.organization, organizations),
    links: ({ point, organizations }) => organizationLinks(point.organization, organizations),
    column: { width: 150, grow: 1, when: 'below' },
    detail: 'place',
  },
});

export function addMetadata(update: UpdateProcessPoint, metadata: ReturnType<typeof parseMetadata>): void {
  for (const [key, value] of Object.entries(metadata)) update.addMetadata[key] = fromJson(ValueSchema, value);
}
