import { create } from '@bufbuild/protobuf';

import { withLatestNumbers } from '#commands/kit/latest-values.ts';
import { loadLatestNumbers } from '#commands/kit/load-latest.ts';
import { loadOrganizationNames, organizationText } from '#commands/kit/organization-names.ts';
import { listFindMany, remoteByIds, remoteFind, remoteFindMany, remoteList } from '#commands/kit/remote-list.ts';
import type { Context } from '#commands/model/context.ts';
import { entity, type Entity } from '#commands/model/entity.ts';
import type { Window } from '#commands/model/list.ts';
import { healthLevels, levelOf } from '#commands/nouns/signals/health-level/entity.ts';
import { loadWindow, type ListResponse } from '#commands/run/paging.ts';
import { Filter_ChildOrganizationsSchema } from '#proto/gen/hiber/filter_pb.ts';
import type { HealthLevel } from '#proto/gen/hiber/health_pb.ts';
import {
  ProcessPointSchema,
  ProcessPointSelectionSchema,
  type ProcessPoint,
} from '#proto/gen/hiber/process_point_pb.ts';
import { ListProcessPoints_Sort as Sort, ProcessPointService } from '#proto/gen/hiber/process_point_service_pb.ts';
import { ValueContextSchema, type ValueContext } from '#proto/gen/hiber/value_service_pb.ts';

import { pointAttributes } from './attributes.ts';
import { pointFilter } from './filter.ts';
import { idOf, nameOf, type PointItem, type PointSelection } from './item.ts';
import { typeLabels } from './params.ts';
import { pointTabs } from './tabs.ts';
import { pointInterval, selectPoints } from './value-owner.ts';

/** The sorts by name, each with its ascending and descending form. `last` is the time since the last value. */
const sorts: Readonly<Record<string, readonly [Sort, Sort]>> = {
  name: [Sort.NAME_ASC, Sort.NAME_DESC],
  last: [Sort.ACTIVITY, Sort.INACTIVITY],
  type: [Sort.TYPE_ASC, Sort.TYPE_DESC],
  well: [Sort.TAG_TYPE_WELL_ASC, Sort.TAG_TYPE_WELL_DESC],
  site: [Sort.TAG_TYPE_SITE_ASC, Sort.TAG_TYPE_SITE_DESC],
  area: [Sort.TAG_TYPE_PRODUCTION_AREA_ASC, Sort.TAG_TYPE_PRODUCTION_AREA_DESC],
};

function sortBy(name: string): Sort {
  return name.startsWith('-') ? sorts[name.slice(1)]![1] : sorts[name]![0];
}

/** Loads the newest value of each numeric type, keyed by point. */
async function loadLatestValues(
  context: Context,
  points: readonly ProcessPoint[],
): Promise<ReadonlyMap<string, readonly ValueContext[]>> {
  if (!context.actor.abilities.has('VIEW_POINT_VALUES')) return new Map();
  const owners = points.map(({ identifier, organization }) => ({ id: identifier, organization }));
  const latestNumbers = await loadLatestNumbers(context, owners, selectPoints);
  return new Map([...latestNumbers].map(([id, { values }]) => [id, values]));
}

function worstLevel({ devices }: ProcessPoint): HealthLevel | undefined {
  const levels = devices.flatMap(({ health }) => health ?? []);
  return levels.toSorted((a, b) => Number(b.severity - a.severity))[0];
}

/** Lists process points, each with the health of its devices and, unless `omitsValues` is set, its newest values. */
function load(
  context: Context,
  { points: selection, below }: PointSelection,
  sort: readonly string[] = [],
  { omitsValues }: Pick<Window, 'omitsValues'> = {},
) {
  return async (pagination: { page?: number; size?: number }): Promise<ListResponse<PointItem>> => {
    const request = {
      organization: context.organization.id,
      selection,
      pagination,
      sortBy: sort.map(sortBy),
      ...(below ? { childOrganizations: below } : {}),
    };
    const [{ processPoints, pagination: result }, levels] = await Promise.all([
      context.api(ProcessPointService).list(request, { signal: context.signal }),
      healthLevels(context),
    ]);
    const [values, organizations] = await Promise.all([
      loadLatestValues(context, omitsValues ? [] : processPoints),
      loadOrganizationNames(
        context,
        processPoints.map(({ organization }) => organization),
      ),
    ]);
    const toItem = (point: ProcessPoint): PointItem => {
      const health = worstLevel(point)?.level;
      return {
        point,
        health,
        level: levelOf(health, levels),
        values: values.get(point.identifier) ?? [],
        organizations,
      };
    };
    return { items: processPoints.map(toItem), pagination: result };
  };
}

/** Selects the given points in the organization and its sub-organizations. */
function selectEverywhere(identifiers: readonly string[]): PointSelection {
  return {
    points: create(ProcessPointSelectionSchema, { identifiers: [...identifiers] }),
    below: create(Filter_ChildOrganizationsSchema, { includeAll: true }),
  };
}

function searchSelection(...texts: readonly string[]): PointSelection {
  return { points: create(ProcessPointSelectionSchema, { search: texts.filter((text) => text !== '') }) };
}

const identifiers = [(item: PointItem) => [idOf(item), nameOf(item)]];

const byIds = remoteByIds(load, selectEverywhere);

/** The number of names from which it is faster to load the whole list, unless that is long. */
const MAX_SEARCHED_NAMES = 200;

const findInList = listFindMany({
  load: (context) => load(context, searchSelection(''), [], { omitsValues: true }),
  identifiers,
});
const findBySearch = remoteFindMany({
  load: (context, texts) => load(context, searchSelection(...texts), [], { omitsValues: true }),
  identifiers,
});

export const processPoint: Entity<PointItem, PointSelection> = entity({
  name: 'process-point',
  plural: 'process-points',
  requires: 'VIEW_PROCESS_POINTS',
  features: ['PROCESS_POINTS'],
  screen: {
    path: '/process-points',
    aliases: ['/process-points/list'],
    rail: { icon: 'git-commit-horizontal', group: 'fleet' },
    key: 'g p',
    itemScreens: { assign: 'timeline' },
  },
  example: { name: 'Avocet 1, annulus A', filter: 'well:"Avocet 1"' },
  id: idOf,
  label: nameOf,
  detail: ({ point }) => (point.type ? typeLabels.text(point.type) : undefined),
  level: ({ level }) => level,
  belongsTo: ({ point, organizations }) => ({
    id: point.organization,
    name: organizationText(point.organization, organizations) ?? '',
  }),
  json: ({ point, values }, toJson) => ({
    ...(toJson(ProcessPointSchema, point) as object),
    latestValues: values.map((value) => toJson(ValueContextSchema, value)),
  }),
  // The contract doesn't define what identifiers look like.
  isId: () => false,
  toId: (text) => text.trim().replace(/^#/, ''),
  ...remoteList({ load, searchSelection, order: ['name'] }),
  list: (context, { selection, sort }, window) => loadWindow(window, load(context, selection, sort, window)),
  byIds,
  find: remoteFind({
    load: (context, text) => load(context, searchSelection(text)),
    byIds,
    identifiers,
  }),
  findMany: async (context, names) => {
    const listed = names.length > MAX_SEARCHED_NAMES ? await findInList(context, names) : new Map();
    return listed.size > 0 ? listed : findBySearch(context, names);
  },
  emptySelection: () => searchSelection(''),
  applySearch: ({ points }, text) => {
    points.search = [text];
  },
  filter: pointFilter,
  states: { untagged: { filter: '-tag:*' } },
  sorts: Object.keys(sorts),
  sortAliases: { inactivity: 'last', activity: '-last' },
  defaultSort: 'name',
  otherAddCommands: ['process-point.import'],
  emptyHint: true,
  columns: withLatestNumbers(pointAttributes.columns, 'last', {
    values: ({ values }) => values,
    interval: pointInterval,
  }),
  // The messages of its devices bring new values.
  dependency: { entity: 'device', ids: ({ point }) => point.devices.map(({ number }) => number) },
  details: pointAttributes.details,
  detailTabs: pointTabs,
  changedBy: [
    'PROCESS_POINT_CREATED',
    'PROCESS_POINT_UPDATED',
    'PROCESS_POINT_DELETED',
    'ASSIGNED',
    'UNASSIGNED',
    'DEVICE_UPDATED',
  ],
  references: { 'health-level': ['ORGANIZATION_EVENT_CONFIGURATION_UPDATED'] },
});

export { processPoint as entity };
