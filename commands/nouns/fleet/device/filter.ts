import { create } from '@bufbuild/protobuf';

import { belowKey } from '#commands/kit/below.ts';
import { addTerm, intersectValues, singleValue, valuesOf } from '#commands/kit/filter-keys.ts';
import { findMatches } from '#commands/kit/matching.ts';
import { CommandError } from '#commands/model/errors.ts';
import type { FilterKey, FilterKeys, Term } from '#commands/model/filter.ts';
import { momentRange } from '#commands/model/moment.ts';
import { p } from '#commands/model/params.ts';
import { toMs } from '#commands/model/wire.ts';
import { tagKeys } from '#commands/nouns/fleet/tag/keys.ts';
import { suggestTags } from '#commands/nouns/fleet/tag/list.ts';
import {
  canonicalHealth,
  HEALTH_ALIASES,
  healthLevels,
  healthValues,
  namedLevels,
} from '#commands/nouns/signals/health-level/entity.ts';
import { firstDay } from '#commands/session/preferences.ts';
import { message } from '#commands/text/message.ts';
import { LocationSelectionSchema, TimeRangeSchema, type TimeRange } from '#proto/gen/hiber/base_pb.ts';
import {
  Filter_DeviceTypesSchema,
  Filter_ModemIdentifiersSchema,
  Filter_ModemsSchema,
  Filter_SensorBrandsSchema,
} from '#proto/gen/hiber/filter_pb.ts';
import {
  Modem_Lifecycle,
  Modem_Type,
  ModemSelection_Peripherals_OneOfValuesSchema,
  ModemSelection_PeripheralsSchema,
  ModemSelection_TransfersSchema,
  type ModemSelection,
} from '#proto/gen/hiber/modem_pb.ts';

import { canonicalArea, parseArea } from './areas.ts';
import { countDevices } from './counts.ts';
import type { TypeAttribute } from './device-types.ts';
import { isNumber, toNumber, type DeviceSelection } from './item.ts';
import { typeLabels } from './labels.ts';
import { isSelectedByDefault, LIFECYCLES, lifecycleText, loadVisibleLifecycles } from './lifecycle.ts';

type Key = FilterKey<ModemSelection>;

// The modules for typed filters load once a filter is typed, so the first rows don't wait for them.
const loadAreas = () => import('./area-suggestions.ts');
const loadCatalog = () => import('./catalog.ts');
const loadValues = () => import('./filter-values.ts');
const loadTypes = () => import('./device-types.ts');
const loadPoints = () => import('./points.ts');

/** The contract can only include health levels and lifecycles, so a negated term includes all others. */
const health: Key = {
  kind: 'name',
  negates: true,
  pluralMessage: message('device:filter.several.health'),
  knownValues: HEALTH_ALIASES,
  canonical: canonicalHealth,
  allValues: async (context) => healthValues(await healthLevels(context)),
  suggest: async (context, text) => {
    const levels = await healthLevels(context);
    const options = healthValues(levels).map((value) => ({
      value,
      selection: { healthLevels: [...namedLevels(value, levels)] },
    }));
    const suggestions = (await countDevices(context, 'health', options)).map((suggestion) => {
      const levelNames = namedLevels(suggestion.value, levels).join(', ');
      return levelNames === suggestion.value ? suggestion : { ...suggestion, detail: levelNames };
    });
    return findMatches(suggestions, text, ({ value, detail = '' }) => `${value} ${detail}`);
  },
  apply: async (selection, term, context) => {
    const levels = await healthLevels(context);
    const names = new Set(valuesOf(term).flatMap((value) => namedLevels(value, levels)));
    const includedLevels = levels.map(({ level }) => level).filter((level) => names.has(level) !== term.negated);
    selection.healthLevels = intersectValues(selection.healthLevels, includedLevels, term.key);
  },
};

const lifecycle: Key = {
  kind: 'choice',
  options: LIFECYCLES,
  label: lifecycleText,
  pluralMessage: message('device:filter.several.lifecycle'),
  negates: true,
  suggest: async (context, text) => {
    const lifecycles = await loadVisibleLifecycles(context);
    const options = LIFECYCLES.filter((value) => lifecycles.includes(Modem_Lifecycle[value])).map((value) => ({
      value,
      selection: { lifecycles: [Modem_Lifecycle[value]] },
    }));
    return findMatches(await countDevices(context, 'lifecycle', options), text, ({ value }) => value);
  },
  apply: async (selection, term, context) => {
    const namedLifecycles: Modem_Lifecycle[] = valuesOf(term).map(
      (value) => Modem_Lifecycle[value as keyof typeof Modem_Lifecycle],
    );
    const otherLifecycles = async () =>
      (await loadVisibleLifecycles(context)).filter(
        (lifecycle) => isSelectedByDefault(lifecycle) && !namedLifecycles.includes(lifecycle),
      );
    selection.lifecycles = intersectValues(
      selection.lifecycles,
      term.negated ? await otherLifecycles() : namedLifecycles,
      term.key,
    );
  },
};

const TYPES = p.names(Modem_Type);

const type: Key = {
  kind: 'choice',
  options: TYPES,
  label: typeLabels.byName,
  pluralMessage: message('device:filter.several.type'),
  negates: true,
  suggest: async (context, text) => {
    const options = TYPES.map((value) => ({ value, selection: { includeTypes: [Modem_Type[value]] } }));
    return findMatches(await countDevices(context, 'type', options), text, ({ value }) => value);
  },
  apply: (selection, term) => {
    const namedTypes = valuesOf(term).map((value) => Modem_Type[value as keyof typeof Modem_Type]);
    if (term.negated) selection.excludeTypes.push(...namedTypes);
    else selection.includeTypes = intersectValues(selection.includeTypes, namedTypes, term.key);
  },
};

const tags = tagKeys<ModemSelection>({ tags: (selection) => selection, suggest: suggestTags });

/** Restricts an attribute that has one value per device. */
function restrict(filter: { include: string[]; exclude: string[] }, values: readonly string[], term: Term): void {
  if (term.negated) filter.exclude.push(...values);
  else filter.include = intersectValues(filter.include, values, term.key);
}

const numberProblem = (value: string) => (isNumber(value) ? undefined : message('device:validation.number', { value }));

const number: Key = {
  kind: 'text',
  negates: true,
  isSearched: true,
  canonical: toNumber,
  check: numberProblem,
  suggest: async (context, text) => (await loadValues()).suggestNumbers(context, text),
  apply: (selection, term) => restrict((selection.modems ??= create(Filter_ModemsSchema)), valuesOf(term), term),
};

/** Selects the devices that measure a process point now, by number, because the contract can't select by point. */
const processPoint: Key = {
  kind: 'text',
  negates: true,
  aliases: ['point', 'processpoint'],
  suggest: async (context, text) => (await loadPoints()).suggestPoints(context, text),
  apply: async (selection, term, context) => {
    const { findPointDevices } = await loadPoints();
    const numbers = await Promise.all(valuesOf(term).map((value) => findPointDevices(value, context)));
    restrict((selection.modems ??= create(Filter_ModemsSchema)), numbers.flat(), term);
  },
};

/**
 * Selects devices relayed by a gateway (`gateway:'1A07 33D2'`), by any gateway (`gateway:*`), or by none
 * (`-gateway:*`).
 */
const gateway: Key = {
  kind: 'name',
  negates: true,
  presence: true,
  canonical: toNumber,
  allValues: async (context) => (await loadValues()).findGatewayNumbers(context),
  suggest: async (context, text) => (await loadValues()).suggestGateways(context, text),
  apply: async (selection, term, context) => {
    if ('present' in term.test) {
      if (term.negated) selection.notConnectedToGateway = true;
      else selection.onlyConnectedToGateway = true;
      return;
    }
    const { findGatewayNumber } = await loadValues();
    const numbers = await Promise.all(valuesOf(term).map((value) => findGatewayNumber(value, context)));
    addTerm((selection.connectedToGateways ??= create(Filter_ModemsSchema)), numbers, term);
  },
};

const identifier: Key = {
  kind: 'text',
  negates: true,
  isSearched: true,
  suggest: async (context, text) => (await loadValues()).suggestIdentifiers(context, text),
  apply: async (selection, term, context) => {
    const { requireIdentifier } = await loadValues();
    for (const value of valuesOf(term)) await requireIdentifier(value, context);
    addTerm((selection.identifiers ??= create(Filter_ModemIdentifiersSchema)), valuesOf(term), term);
  },
};

const model: Key = {
  kind: 'text',
  negates: true,
  allValues: async (context) => (await loadCatalog()).loadAttributeValues('models', context),
  suggest: async (context, text) => (await loadCatalog()).suggestAttribute('models', context, text),
  apply: (selection, term) =>
    restrict((selection.deviceTypes ??= create(Filter_DeviceTypesSchema)), valuesOf(term), term),
};

/** Selects device types by what the catalogue says about them, as in `application:Pressure`. */
const typeAttribute = (attribute: TypeAttribute): Key => ({
  kind: 'text',
  negates: true,
  allValues: async (context) => (await loadTypes()).loadTypeValues(attribute, context),
  suggest: async (context, text) => (await loadTypes()).suggestTypeValues(attribute, context, text),
  apply: async (selection, term, context) => {
    const types = await (await loadTypes()).findTypes(attribute, valuesOf(term), context);
    restrict((selection.deviceTypes ??= create(Filter_DeviceTypesSchema)), types, term);
  },
});

const brand: Key = {
  kind: 'text',
  negates: true,
  allValues: async (context) => (await loadCatalog()).loadAttributeValues('brands', context),
  suggest: async (context, text) => (await loadCatalog()).suggestAttribute('brands', context, text),
  apply: (selection, term) =>
    addTerm((selection.sensorBrands ??= create(Filter_SensorBrandsSchema)), valuesOf(term), term),
};

/**
 * Selects devices by a peripheral (`peripheral:barometer`) or by its version (`peripheral:barometer=2.1`). A device
 * must match all terms. The values in one term are versions of the same peripheral.
 */
const peripheral: Key = {
  kind: 'text',
  negates: true,
  presence: true,
  suggest: async (context, text) => (await loadValues()).suggestPeripherals(context, text),
  apply: async (selection, term, context) => {
    if ('present' in term.test) {
      if (!term.negated) throw new CommandError(message('device:filter.anyPeripheral'));
      selection.peripheralSelection = { case: 'onlyWithoutPeripheral', value: true };
      return;
    }
    const current = selection.peripheralSelection;
    if (current.case === 'onlyWithoutPeripheral')
      throw new CommandError(message('common:filter.nothing', { key: term.key }));
    const value = current.case === 'peripherals' ? current.value : create(ModemSelection_PeripheralsSchema);
    const { requirePeripheral, splitPeripheral } = await loadValues();
    for (const text of valuesOf(term)) await requirePeripheral(text, context);
    const peripherals = valuesOf(term).map((text) => splitPeripheral(text));
    if (!term.negated && new Set(peripherals.map(({ name }) => name)).size > 1) {
      throw new CommandError(message('device:filter.peripherals'));
    }
    const constraints = term.negated ? value.exclude : value.includeAnd;
    for (const { name, version } of peripherals) {
      const versions = (constraints[name] ??= create(ModemSelection_Peripherals_OneOfValuesSchema));
      if (version !== undefined) versions.value.push(version);
    }
    selection.peripheralSelection = { case: 'peripherals', value };
  },
};

/** Aliases of `last` in filters and sorts. */
export const LAST_ALIASES: readonly string[] = [
  'inactivity',
  'inactive',
  'silence',
  'silent',
  'seen',
  'last-message',
  'lastmessage',
  'last-seen',
];

/**
 * Selects by the time of the last message: `last<2h` if it arrived within the last two hours, `last>2d` if it is older
 * than two days. A device must match all terms.
 */
const last: Key = {
  kind: 'time',
  ranges: true,
  aliases: [...LAST_ALIASES, 'activity'],
  apply: (selection, term, context) => {
    if ('present' in term.test) throw new CommandError(message('core:query.presence', { key: term.key, position: 1 }));
    const bounds = 'values' in term.test ? { value: singleValue(term) } : term.test;
    const range = create(TimeRangeSchema, momentRange(bounds, context.now(), firstDay(context.preferences)));
    selection.withLastMessageIn = intersect(selection.withLastMessageIn, range, term.key);
  },
};

/** Returns the intersection of two ranges. */
function intersect(current: TimeRange | undefined, range: TimeRange, key: string): TimeRange {
  const boundMs = (timeRange: TimeRange | undefined, end: 'start' | 'end') => toMs(timeRange?.[end]);
  const start = Math.max(boundMs(current, 'start') ?? -Infinity, boundMs(range, 'start') ?? -Infinity);
  const end = Math.min(boundMs(current, 'end') ?? Infinity, boundMs(range, 'end') ?? Infinity);
  if (start > end) throw new CommandError(message('common:filter.emptyTime', { key }));
  return create(TimeRangeSchema, {
    start: start === boundMs(range, 'start') ? range.start! : current!.start!,
    end: end === boundMs(range, 'end') ? range.end! : current!.end!,
  });
}

/**
 * Selects devices at a place, by the name of its tag, or in the box between two corners, as in
 * `location:52.9/6.5/53.1/6.8`. If there are several, a device can be in any of them.
 */
const location: FilterKey<DeviceSelection> = {
  kind: 'text',
  aliases: ['place', 'near', 'within'],
  canonical: canonicalArea,
  // Text with a letter can be the name of a place.
  check: (value) =>
    /\p{L}/u.test(value) || parseArea(value) ? undefined : message('device:filter.notAnArea', { value }),
  suggest: async (context, text) => (await loadAreas()).suggestAreas(context, text),
  apply: async (selection, term, context) => {
    if (selection.locations) throw new CommandError(message('common:filter.twice', { key: term.key }));
    const { findAreas } = await loadAreas();
    selection.locations = create(LocationSelectionSchema, await findAreas(valuesOf(term), context));
  },
};

/** Selects devices that were received in a transfer and are still here. */
const transfer: Key = {
  kind: 'text',
  suggest: async (context, text) => (await loadValues()).suggestTransfers(context, text),
  apply: (selection, term) => {
    const transfers = (selection.transfers ??= create(ModemSelection_TransfersSchema));
    transfers.transfersIdentifiers = intersectValues(transfers.transfersIdentifiers, valuesOf(term), term.key);
  },
};

const modemFilter: FilterKeys<ModemSelection> = {
  health,
  lifecycle,
  ...tags,
  type,
  model,
  brand,
  application: typeAttribute('application'),
  category: typeAttribute('category'),
  version: typeAttribute('version'),
  gateway,
  number,
  identifier,
  'process-point': processPoint,
  peripheral,
  last,
  transfer,
};

/** Adapts a key of the contract's modem selection to {@link DeviceSelection}. */
function adaptKey(key: Key): FilterKey<DeviceSelection> {
  return { ...key, apply: ({ modems }, term, context) => key.apply(modems, term, context) };
}

export const deviceFilter: FilterKeys<DeviceSelection> = {
  ...Object.fromEntries(Object.entries(modemFilter).map(([name, key]) => [name, adaptKey(key)])),
  location,
  below: belowKey,
};
