import { create } from '@bufbuild/protobuf';

import {
  Filter_DeviceTypesSchema,
  Filter_ModemIdentifiersSchema,
  Filter_ModemsSchema,
  Filter_SensorBrandsSchema,
  Filter_TagsSchema,
} from '#proto/hiber/filter_pb';
import { TimeRangeSchema } from '#proto/hiber/base_pb';
import {
  Modem_Lifecycle,
  Modem_Type,
  ModemSelection_Peripherals_OneOfValuesSchema,
  ModemSelection_PeripheralsSchema,
  type ModemSelection,
} from '#proto/hiber/modem_pb';
import { TagSelectionSchema } from '#proto/hiber/tag_pb';
import { CommandError } from '../core/errors.ts';
import type { FilterKey, FilterKeys } from '../core/filter.ts';
import { addTo, matching, narrow, valuesOf } from '../core/filter-keys.ts';
import { message } from '../core/message.ts';
import { p } from '../core/params.ts';
import { firstDay } from '../core/preferences.ts';
import { momentRange } from '../core/time.ts';
import { canonicalHealth, healthLevels, healthValues, namedLevels } from '../health/entity.ts';
import { suggestTags, tag, tagIds } from '../tag/entity.ts';
import { BRANDS, MODELS, suggestAttribute } from './catalogue.ts';
import { counted } from './counts.ts';
import { isNumber, toNumber } from './item.ts';
import { isNormal, LIFECYCLES, visibleLifecycles } from './lifecycle.ts';

type Key = FilterKey<ModemSelection>;

/** Health and lifecycle: the contract takes only lists of what to keep, so `-` keeps the others, all of which are known. */
const health: Key = {
  kind: 'name',
  negates: true,
  canonical: canonicalHealth,
  suggest: async (context, text) => {
    const levels = await healthLevels(context);
    const all = healthValues(levels).map((value) => ({
      value,
      selection: { healthLevels: [...namedLevels(value, levels)] },
    }));
    return matching(await counted(context, 'health', all), text, ({ value }) => value);
  },
  apply: async (selection, term, context) => {
    const levels = await healthLevels(context);
    const named = new Set(valuesOf(term).flatMap((value) => namedLevels(value, levels)));
    const wanted = levels.map(({ level }) => level).filter((level) => named.has(level) !== term.negated);
    selection.healthLevels = narrow(selection.healthLevels, wanted, term.key);
  },
};

const lifecycle: Key = {
  kind: 'choice',
  options: LIFECYCLES,
  negates: true,
  suggest: async (context, text) => {
    const visible = await visibleLifecycles(context);
    const all = LIFECYCLES.filter((value) => visible.includes(Modem_Lifecycle[value])).map((value) => ({
      value,
      selection: { lifecycles: [Modem_Lifecycle[value]] },
    }));
    return matching(await counted(context, 'lifecycle', all), text, ({ value }) => value);
  },
  apply: async (selection, term, context) => {
    const named: Modem_Lifecycle[] = valuesOf(term).map(
      (value) => Modem_Lifecycle[value as keyof typeof Modem_Lifecycle],
    );
    const others = async () =>
      (await visibleLifecycles(context)).filter((each) => isNormal(each) && !named.includes(each));
    selection.lifecycles = narrow(selection.lifecycles, term.negated ? await others() : named, term.key);
  },
};

const TYPES = p.names(Modem_Type);

const type: Key = {
  kind: 'choice',
  options: TYPES,
  negates: true,
  suggest: async (context, text) => {
    const all = TYPES.map((value) => ({ value, selection: { includeTypes: [Modem_Type[value]] } }));
    return matching(await counted(context, 'type', all), text, ({ value }) => value);
  },
  apply: (selection, term) => {
    const named = valuesOf(term).map((value) => Modem_Type[value as keyof typeof Modem_Type]);
    if (term.negated) selection.excludeTypes.push(...named);
    else selection.includeTypes = narrow(selection.includeTypes, named, term.key);
  },
};

const tagKey: Key = {
  kind: 'name',
  entity: () => tag,
  negates: true,
  suggest: suggestTags,
  apply: async (selection, term, context) => {
    const tags = (selection.filterByTags ??= create(TagSelectionSchema));
    addTo((tags.filter ??= create(Filter_TagsSchema)), await tagIds(valuesOf(term), context), term);
  },
};

const tagType: Key = {
  kind: 'text',
  apply: (selection, term) => {
    const tags = (selection.filterByTags ??= create(TagSelectionSchema));
    tags.types = narrow(tags.types, valuesOf(term), term.key);
  },
};

const number: Key = {
  kind: 'text',
  negates: true,
  canonical: toNumber,
  apply: (selection, term) =>
    addTo((selection.modems ??= create(Filter_ModemsSchema)), numbersOf(valuesOf(term)), term),
};

/** `gateway:'1A07 33D2'` is what it relays; `gateway:*` is all that is relayed by any, `-gateway:*` by none. */
const gateway: Key = {
  kind: 'text',
  negates: true,
  presence: true,
  canonical: toNumber,
  apply: (selection, term) => {
    if ('present' in term.test) {
      if (term.negated) selection.notConnectedToGateway = true;
      else selection.onlyConnectedToGateway = true;
    } else addTo((selection.connectedToGateways ??= create(Filter_ModemsSchema)), numbersOf(valuesOf(term)), term);
  },
};

function numbersOf(values: readonly string[]): string[] {
  const wrong = values.find((value) => !isNumber(value));
  if (wrong !== undefined) throw new CommandError(message('device:validation.number', { value: wrong }));
  return values.map(toNumber);
}

const identifier: Key = {
  kind: 'text',
  negates: true,
  apply: (selection, term) =>
    addTo((selection.identifiers ??= create(Filter_ModemIdentifiersSchema)), valuesOf(term), term),
};

const model: Key = {
  kind: 'text',
  negates: true,
  suggest: (context, text) => suggestAttribute(MODELS, context, text),
  apply: (selection, term) => addTo((selection.deviceTypes ??= create(Filter_DeviceTypesSchema)), valuesOf(term), term),
};

const brand: Key = {
  kind: 'text',
  negates: true,
  suggest: (context, text) => suggestAttribute(BRANDS, context, text),
  apply: (selection, term) =>
    addTo((selection.sensorBrands ??= create(Filter_SensorBrandsSchema)), valuesOf(term), term),
};

/** `peripheral:barometer`, `peripheral:barometer=2.1`; several terms must all hold, values of one term are versions of one name. */
const peripheral: Key = {
  kind: 'text',
  negates: true,
  presence: true,
  apply: (selection, term) => {
    if ('present' in term.test) {
      if (!term.negated) throw new CommandError(message('device:filter.anyPeripheral'));
      selection.peripheralSelection = { case: 'onlyWithoutPeripheral', value: true };
      return;
    }
    const chosen = selection.peripheralSelection;
    if (chosen.case === 'onlyWithoutPeripheral')
      throw new CommandError(message('common:filter.nothing', { key: term.key }));
    const value = chosen.case === 'peripherals' ? chosen.value : create(ModemSelection_PeripheralsSchema);
    const named = valuesOf(term).map((text) => splitPeripheral(text));
    if (!term.negated && new Set(named.map(({ name }) => name)).size > 1) {
      throw new CommandError(message('device:filter.peripherals'));
    }
    const into = term.negated ? value.exclude : value.includeAnd;
    for (const { name, version } of named) {
      const versions = (into[name] ??= create(ModemSelection_Peripherals_OneOfValuesSchema));
      if (version !== undefined) versions.value.push(version);
    }
    selection.peripheralSelection = { case: 'peripherals', value };
  },
};

function splitPeripheral(text: string): { readonly name: string; readonly version?: string } {
  const at = text.indexOf('=');
  return at < 0 ? { name: text } : { name: text.slice(0, at), version: text.slice(at + 1) };
}

/** When the last message came: `last<2h` is since then, `last>2d` is silent for longer. */
const last: Key = {
  kind: 'time',
  ranges: true,
  apply: (selection, term, context) => {
    if (selection.withLastMessageIn) throw new CommandError(message('common:filter.twice', { key: term.key }));
    const [value, ...more] = valuesOf(term);
    if (more.length > 0) throw new CommandError(message('common:filter.oneValue', { key: term.key }));
    const bounds = 'values' in term.test || 'present' in term.test ? { value } : term.test;
    const range = momentRange(bounds, context.now(), firstDay(context.preferences));
    selection.withLastMessageIn = create(TimeRangeSchema, range);
  },
};

export const deviceFilter: FilterKeys<ModemSelection> = {
  health,
  lifecycle,
  tag: tagKey,
  tagtype: tagType,
  type,
  model,
  brand,
  gateway,
  number,
  identifier,
  peripheral,
  last,
};
