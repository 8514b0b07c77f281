import { maySeeFields } from '#commands/kit/value-loading.ts';
import type { Context } from '#commands/model/context.ts';
import { selectNumbers } from '#commands/nouns/fleet/device/entity.ts';
import { loadAllPages, loadInChunks } from '#commands/run/paging.ts';
import { canonicalPath, pathKey } from '#commands/text/field-path.ts';
import { groupBy } from '#commands/text/group-by.ts';
import { message, type Message } from '#commands/text/message.ts';
import { nearestNames } from '#commands/text/near.ts';
import { FieldService } from '#proto/gen/hiber/field_service_pb.ts';

import { limitNotes } from './period-texts.ts';
import type { Pair, Period } from './periods.ts';

/** A device with the fields that it is to share with a process point. */
export interface Sharing extends Pick<Pair, 'organization' | 'device'> {
  readonly fields: Period['fields'];
}

/** Returns warnings about shared fields that bring a process point no values, for one device. */
export type Warn = (sharing: Pick<Sharing, 'device' | 'fields'>) => readonly Warning[];

export interface Warning {
  readonly key: 'undeclared' | 'undeclaredNear' | 'operational';
  readonly field: string;
  /** The field that is probably meant. */
  readonly near?: string;
}

/**
 * Loads what the parsers of the devices produce, including those assigned to their tags (contract:
 * FieldService.ForModem). Without the permission to see fields, there are no warnings.
 */
export async function loadSharedFieldWarnings(context: Context, sharings: readonly Sharing[]): Promise<Warn> {
  const declared = new Map<string, ReadonlyMap<string, { readonly field: string; readonly operational: boolean }>>();
  const sharingFields = sharings.filter(({ fields }) => fields.length > 0);
  const maySee = maySeeFields(context, 'devices');
  for (const [organization, group] of groupBy(maySee ? sharingFields : [], (sharing) => sharing.organization)) {
    const devices = await loadInChunks([...new Set(group.map(({ device }) => device.id))], (numbers) =>
      loadDeviceFields(context, organization, numbers),
    );
    for (const { modem, fields } of devices) {
      declared.set(modem, new Map(fields.map((field) => [pathKey(field.field), field])));
    }
  }
  return ({ device, fields }) => {
    const known = declared.get(device.id);
    if (!known) return [];
    const shareable = [...known.values()].flatMap(({ field, operational }) =>
      operational ? [] : [canonicalPath(field)],
    );
    return fields.flatMap((field): readonly Warning[] => {
      const match = known.get(pathKey(field));
      if (match) return match.operational ? [{ key: 'operational', field }] : [];
      const [near] = nearestNames(canonicalPath(field), shareable, 1);
      return [near === undefined ? { key: 'undeclared', field } : { key: 'undeclaredNear', field, near }];
    });
  };
}

const loadDeviceFields = (context: Context, organization: string, numbers: readonly string[]) =>
  loadAllPages(async (pagination) => {
    const request = {
      organization,
      modemSelection: selectNumbers(numbers),
      fieldSelection: { includeOperational: true },
      pagination,
    };
    const { modemFields, pagination: result } = await context
      .api(FieldService)
      .forModem(request, { signal: context.signal });
    return { items: modemFields, pagination: result };
  });

/** Returns a note for each warning. Names the device, or counts the devices that share a warning. */
export function sharedFieldNotes(sharings: readonly Sharing[], warn: Warn): readonly Message[] {
  const warnings = sharings.flatMap(({ device, fields }) =>
    warn({ device, fields }).map((warning) => ({ device, warning })),
  );
  const byText = groupBy(warnings, ({ warning: { key, field, near = '' } }) => `${key} ${field} ${near}`);
  return limitNotes(
    [...byText.values()].map((group) => {
      const { device, warning } = group[0]!;
      return warningMessage(warning, device.label, new Set(group.map((entry) => entry.device.id)).size);
    }),
  );
}

export const warningMessage = ({ key, ...values }: Warning, device: string, count = 1): Message =>
  message(`process-point:plan.${key}`, { ...values, count, device });
