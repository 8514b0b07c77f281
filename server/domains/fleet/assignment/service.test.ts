import { setTimeout } from 'node:timers/promises';

import type { DescService, MessageInitShape } from '@bufbuild/protobuf';
import { type Client, Code } from '@connectrpc/connect';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import {
  type Assign_RequestSchema,
  AssignmentService,
  AssignmentType as Type,
  type Unassign_RequestSchema,
} from '#proto/gen/hiber/assignment_pb.ts';
import { DeviceService } from '#proto/gen/hiber/device_pb.ts';
import { EventService } from '#proto/gen/hiber/event_service_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { FieldService } from '#proto/gen/hiber/field_service_pb.ts';
import { ModemMessageBodyParserService } from '#proto/gen/hiber/parser_pb.ts';
import { ProcessPointService } from '#proto/gen/hiber/process_point_service_pb.ts';
import { TagService } from '#proto/gen/hiber/tag_pb.ts';
import { processPointDevice } from '#server/db/schema/process-point.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

let t: TestServer;
let numbers: string[];
let parser: string;
let tagId: bigint;
let tagged: string;
beforeAll(async () => {
  t = await startTestServer();
  const { devices } = await admin(DeviceService).list({ pagination: { size: 10 } });
  numbers = devices.map(({ number }) => number);
  tagged = numbers[9] ?? '';
  const dataFields = [
    { field: 'level', details: { case: 'numeric', value: {} } } as const,
    { field: 'status', operational: true },
  ];
  const contentKsy = 'meta:\n  id: level\n  endian: be\nseq:\n  - id: level\n    type: u2\n';
  const created = await admin(ModemMessageBodyParserService).upload({ name: 'Level', contentKsy, dataFields });
  parser = created.identifier;
  const tag = await admin(TagService).create({ create: { name: 'Pad', type: 'site' } });
  tagId = tag.id;
});
afterAll(() => t.close());

const admin = <Service extends DescService>(service: Service): Client<Service> => t.as('administrator').client(service);
const assignments = () => t.as('administrator').client(AssignmentService);

type AssignInit = MessageInitShape<typeof Assign_RequestSchema>;
const kinds = ['parser to device', 'parser to tag', 'device to tag', 'point to tag', 'device to point'] as const;
type Kind = (typeof kinds)[number];

const modems = (...include: string[]) => ({ modems: { include } });
const parsers = () => ({ identifiers: [parser] });
const tags = () => ({ filter: { include: [tagId] } });

async function createPoint(name: string): Promise<string> {
  const { created } = await admin(ProcessPointService).create({ create: [{ name }] });
  return created[0]?.identifier ?? '';
}

async function listDescriptions(type: EventType): Promise<string[]> {
  const { unbundledEvents } = await admin(EventService).list({
    selection: { events: { include: [type] } },
    unbundledEvents: true,
  });
  return unbundledEvents.flatMap((page) => page.unbundledEvents.map(({ description }) => description));
}

describe('each type of assignment', () => {
  type Case = [
    AssignInit,
    MessageInitShape<typeof Unassign_RequestSchema>,
    { type: Type; assign?: object; to?: object },
  ];
  const sides = (point: string): Record<Kind, Case> => ({
    'parser to device': [
      { assign: { case: 'assignParsers', value: parsers() }, to: { case: 'toModems', value: modems(tagged) } },
      { unassign: { case: 'unassignParsers', value: parsers() }, from: { case: 'fromModems', value: modems(tagged) } },
      { type: Type.ASSIGNS_MESSAGE_BODY_PARSER_TO_MODEM, to: { case: 'toModem', value: tagged } },
    ],
    'parser to tag': [
      { assign: { case: 'assignParsers', value: parsers() }, to: { case: 'toTags', value: tags() } },
      { unassign: { case: 'unassignParsers', value: parsers() }, from: { case: 'fromTags', value: tags() } },
      { type: Type.ASSIGNS_MESSAGE_BODY_PARSER_TO_TAG, to: { case: 'toTag', value: { id: tagId } } },
    ],
    'device to tag': [
      { assign: { case: 'assignModems', value: modems(tagged) }, to: { case: 'toTags', value: tags() } },
      { unassign: { case: 'unassignModems', value: modems(tagged) }, from: { case: 'fromTags', value: tags() } },
      { type: Type.ASSIGNS_MODEM_TO_TAG, assign: { case: 'assignModem', value: tagged } },
    ],
    'point to tag': [
      {
        assign: { case: 'assignProcessPoints', value: { identifiers: [point] } },
        to: { case: 'toTags', value: tags() },
      },
      {
        unassign: { case: 'unassignProcessPoints', value: { identifiers: [point] } },
        from: { case: 'fromTags', value: tags() },
      },
      { type: Type.ASSIGNS_PROCESS_POINT_TO_TAG, assign: { case: 'assignProcessPoint', value: point } },
    ],
    'device to point': [
      {
        assign: { case: 'assignModems', value: modems(tagged) },
        to: { case: 'toProcessPoints', value: { identifiers: [point] } },
      },
      {
        unassign: { case: 'unassignProcessPoints', value: { identifiers: [point] } },
        from: { case: 'fromModems', value: modems(tagged) },
      },
      {
        type: Type.ASSIGNS_PROCESS_POINT_TO_DEVICE,
        assign: { case: 'assignProcessPoint', value: point },
        to: { case: 'toModem', value: tagged },
      },
    ],
  });

  test.each(kinds)('can be created once, listed, and ended: %s', async (kind) => {
    const [assign, unassign, shape] = sides(await createPoint(`Point for ${kind}`))[kind];
    const { assigned: assignedItems } = await assignments().assign(assign);
    expect(assignedItems).toMatchObject([shape]);
    expect((await assignments().assign(assign)).assigned).toEqual(assignedItems);
    const selection = { types: { include: [shape.type] } };
    expect((await assignments().list({ selection })).assignments).toContainEqual(assignedItems[0]);
    expect(await listDescriptions(EventType.ASSIGNED)).not.toEqual([]);
    t.advance(1000);
    const { unassigned } = await assignments().unassign(unassign);
    expect(unassigned).toMatchObject([{ ...shape, end: {} }]);
    expect((await assignments().list({ selection })).assignments).not.toContainEqual(assignedItems[0]);
    expect((await assignments().unassign(unassign)).unassigned).toEqual([]);
  });

  test('rejects incompatible sides and empty selections', async () => {
    await expect(
      assignments().assign({
        assign: { case: 'assignParsers', value: parsers() },
        to: { case: 'toProcessPoints', value: { identifiers: [await createPoint('No parser')] } },
      }),
    ).rejects.toMatchObject({
      code: Code.InvalidArgument,
      rawMessage: "Parsers can't be assigned to process points.",
    });
    await expect(assignments().assign({})).rejects.toMatchObject({
      rawMessage: 'Select the items on both sides of the assignment.',
    });
    await expect(
      assignments().assign({
        assign: { case: 'assignParsers', value: parsers() },
        to: { case: 'toModems', value: {} },
      }),
    ).rejects.toMatchObject({ rawMessage: 'Select the devices. An empty selection would affect all of them.' });
  });
});

describe('the time of a device at a process point', () => {
  const [monday, wednesday, friday] = ['2026-10-05T00:00:00Z', '2026-10-07T00:00:00Z', '2026-10-09T00:00:00Z'];
  const request = (point: string, number: string, start: string, more: object = {}): AssignInit => ({
    assign: { case: 'assignModems', value: modems(number) },
    to: { case: 'toProcessPoints', value: { identifiers: [point] } },
    overrideTime: { textual: start },
    ...more,
  });
  const history = async (point: string) => {
    const { assignments: assignmentList } = await assignments().list({
      selection: { processPoints: { identifiers: [point] } },
      includeInactiveAssignments: true,
    });
    return assignmentList.map(({ start, end }) => [start?.textual, end?.textual]);
  };

  test('can begin and end in the past, several times', async () => {
    const [point, number = ''] = [await createPoint('Twice'), numbers[0]];
    await assignments().assign(request(point, number, monday, { endTime: { textual: wednesday } }));
    await assignments().assign(request(point, number, friday));
    expect(await history(point)).toEqual([
      [friday, undefined],
      [monday, wednesday],
    ]);
  });

  test('takes shared fields in any spelling, and rejects what is not a path', async () => {
    const [point, number = ''] = [await createPoint('Spelled'), numbers[7]];
    const share = async (fields: string[]) => {
      const shared = {
        additionalConfiguration: { case: 'processPointDevice', value: { sharedFields: { fields } } },
      } as const;
      const { assigned } = await assignments().assign(request(point, number, monday, shared));
      return assigned[0]?.additionalConfiguration.value?.sharedFields?.fields;
    };
    await expect(share(['$.[['])).rejects.toMatchObject({
      code: Code.InvalidArgument,
      rawMessage: 'A shared field "$.[[" isn\'t supported. Use a name, or a path like sensors[0].level.',
    });
    await expect(share(['level', ''])).rejects.toMatchObject({ code: Code.InvalidArgument });
    // A field that no parser declares yet stays as it was entered.
    expect(await share([' $.level', "['status']", 'level', '$.later'])).toEqual(['level', 'status', '$.later']);
  });

  test('replaces conflicting times if the request allows it, and names the conflict otherwise', async () => {
    const [point, number = ''] = [await createPoint('Conflict'), numbers[1]];
    await assignments().assign(request(point, number, monday));
    const shared = {
      additionalConfiguration: {
        case: 'processPointDevice',
        value: { sharedFields: { fields: ['level'] } },
      },
    } as const;
    await expect(assignments().assign(request(point, number, wednesday, shared))).rejects.toMatchObject({
      code: Code.FailedPrecondition,
      rawMessage: `Device ${number} has measured "Conflict" since 2026-10-05T00:00:00.000Z. To end this assignment at 2026-10-07T00:00:00.000Z, set override_conflicting_assignments.`,
    });
    const override = { ...shared, overrideConflictingAssignments: true };
    await assignments().assign(request(point, number, wednesday, override));
    expect(await history(point)).toEqual([
      [wednesday, undefined],
      [monday, wednesday],
    ]);
    // The new assignment would replace all of the second one.
    await expect(
      assignments().assign(request(point, number, wednesday, { overrideConflictingAssignments: true })),
    ).rejects.toMatchObject({
      rawMessage: expect.stringContaining('set override_conflicting_assignments_allow_delete'),
    });
    await assignments().assign(
      request(point, number, wednesday, {
        overrideConflictingAssignments: true,
        overrideConflictingAssignmentsAllowDelete: true,
      }),
    );
    expect(await history(point)).toEqual([
      [wednesday, undefined],
      [monday, wednesday],
    ]);
  });

  test('is deleted with its history', async () => {
    const [point, number = ''] = [await createPoint('Deleted'), numbers[2]];
    await assignments().assign(request(point, number, monday, { endTime: { textual: wednesday } }));
    await assignments().assign(request(point, number, friday));
    const { deleted } = await assignments().delete({
      unassign: { case: 'unassignModems', value: modems(number) },
      from: { case: 'fromProcessPoints', value: { identifiers: [point] } },
    });
    expect(deleted).toHaveLength(2);
    expect(await history(point)).toEqual([]);
  });

  test("can't overlap, even if two calls arrive at the same time", async () => {
    const [point, number = ''] = [await createPoint('Race'), numbers[3]];
    const calls = await Promise.allSettled([
      assignments().assign(request(point, number, monday)),
      assignments().assign(request(point, number, wednesday)),
    ]);
    expect(calls.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0);
    expect(await history(point)).toHaveLength(1);
  });

  test('end after an assignment that began while the call waited for it', async () => {
    const [point, number = ''] = [await createPoint('Wait'), numbers[3]];
    const { db } = t.app;
    const transaction = db.transaction.bind(db);
    vi.spyOn(db, 'transaction').mockImplementationOnce(async (run) => {
      await setTimeout(10);
      await db.orm.insert(processPointDevice).values({ organization: 'northwind', point, number, since: new Date() });
      return transaction(run);
    });
    const { unassigned } = await assignments().unassign({
      unassign: { case: 'unassignModems', value: modems(number) },
      from: { case: 'fromProcessPoints', value: { identifiers: [point] } },
    });
    expect(unassigned).toMatchObject([{ assign: { value: point }, to: { value: number } }]);
  });
});

describe('assignments by side', () => {
  test('group the same links, with empty rows on request', async () => {
    const point = await createPoint('Grouped');
    const [number = ''] = [numbers[4]];
    await assignments().assign({
      assign: { case: 'assignModems', value: modems(number) },
      to: { case: 'toProcessPoints', value: { identifiers: [point] } },
    });
    await assignments().assign({
      assign: { case: 'assignParsers', value: parsers() },
      to: { case: 'toModems', value: modems(number) },
    });
    const byPoint = await assignments().processPointAssignments({
      selection: { processPoints: { identifiers: [point] } },
    });
    expect(byPoint.processPoints).toMatchObject([{ processPointIdentifier: point, devices: [number] }]);
    const { assets } = await assignments().assetAssignments({ selection: { processPoints: { identifiers: [point] } } });
    expect(assets).toMatchObject([{ assetIdentifier: point, devices: [number] }]);
    const byModem = await assignments().modemAssignments({
      selection: { modems: modems(number) },
      includeMessageBodyParserDetails: true,
    });
    expect(byModem.modems).toMatchObject([
      {
        modemNumber: number,
        messageBodyParsers: [{ identifier: parser, name: 'Level', ownerOrganization: 'northwind' }],
        messageBodyParserDetails: [{ identifier: parser, contentKsy: '' }],
        processPoints: [{ identifier: point, name: 'Grouped' }],
      },
    ]);
    const byParser = await assignments().modemMessageBodyParserAssignments({});
    expect(byParser.parsers).toMatchObject([{ messageBodyParser: { identifier: parser }, modems: [number] }]);
    const { tags: byTag } = await assignments().tagAssignments({ selection: { tags: tags() } });
    expect(byTag).toEqual([]);
    const withEmpty = await assignments().tagAssignments({
      selection: { tags: tags() },
      includeTagsWithoutAssignments: true,
    });
    expect(withEmpty.tags).toMatchObject([{ tag: { id: tagId }, modems: [] }]);
    expect((await assignments().alarmAssignments({})).alarms).toEqual([]);
  });
});

describe('the fields of devices and process points', () => {
  test("are their parsers' fields without operational fields, limited to the shared fields", async () => {
    const [number = ''] = [numbers[5]];
    const fields = () => t.as('administrator').client(FieldService);
    await admin(ModemMessageBodyParserService).assign({ assignParsers: parsers(), toModems: modems(number) });
    const point = await createPoint('With fields');
    await assignments().assign({
      assign: { case: 'assignModems', value: modems(number) },
      to: { case: 'toProcessPoints', value: { identifiers: [point] } },
      additionalConfiguration: { case: 'processPointDevice', value: { sharedFields: { fields: ['status'] } } },
    });
    const { modemFields, total } = await fields().forModem({
      modemSelection: modems(number),
      fieldSelection: { includeOperational: true },
      includeTotal: true,
    });
    expect(modemFields).toMatchObject([{ modem: number, fields: [{ field: 'level' }, { field: 'status' }] }]);
    expect(total.map(({ field }) => field)).toEqual(['level', 'status']);
    const ofPoint = async (more: object) => {
      const { processPointFields } = await fields().forProcessPoint({
        processPointSelection: { identifiers: [point] },
        ...more,
      });
      return processPointFields.map((owner) => [owner.processPointName, owner.fields.map(({ field }) => field)]);
    };
    expect(await ofPoint({})).toEqual([['With fields', []]]);
    expect(await ofPoint({ fieldSelection: { includeOperational: true } })).toEqual([['With fields', ['status']]]);
    const { assetFields } = await fields().forAsset({ includeTotal: true });
    expect(assetFields.map(({ assetName }) => assetName)).toContain('With fields');
  });
});

describe('a parser', () => {
  test('can be assigned only by its owner and loses its assignments when it is deleted', async () => {
    const service = admin(ModemMessageBodyParserService);
    const contentKsy = 'meta:\n  id: a\nseq:\n  - id: a\n    type: u1\n';
    const { identifier } = await service.upload({ name: 'Short-lived', contentKsy });
    const request = { assignParsers: { identifiers: [identifier] }, toModems: modems(numbers[6] ?? '') };
    const { created } = await service.assign(request);
    expect(created).toMatchObject([{ parserIdentifier: identifier, modemNumber: numbers[6] }]);
    expect((await service.assign(request)).created).toEqual([]);
    const { removedDirectAssignments } = await service.unassign({
      unassignParsers: { identifiers: [identifier] },
      fromModems: modems(numbers[6] ?? ''),
    });
    expect(removedDirectAssignments).toHaveLength(1);
    await service.assign(request);
    await service.delete({ selection: { identifiers: [identifier] } });
    const { assignments: remainingAssignments } = await assignments().list({
      selection: { types: { include: [Type.ASSIGNS_MESSAGE_BODY_PARSER_TO_MODEM] }, modems: modems(numbers[6] ?? '') },
    });
    expect(remainingAssignments).toEqual([]);
  });
});
