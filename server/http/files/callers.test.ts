import { ConnectError } from '@connectrpc/connect';
import { codeToHttpStatus } from '@connectrpc/connect/protocol-connect';
import { and, asc, eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { ExportService } from '#proto/gen/hiber/export_pb.ts';
import { FileService } from '#proto/gen/hiber/file_pb.ts';
import { SupportService } from '#proto/gen/quarterdeck/support/v1/support_service_pb.ts';
import { supportCall, supportSession } from '#server/db/schema/support.ts';
import { presentFile } from '#server/domains/data/file/files.ts';
import { startListening, type TestListener } from '#server/testkit/listener.ts';
import { createCallers, type Person } from '#server/testkit/policies/people.ts';
import { addExport, addFile } from '#server/testkit/stored-files.ts';

let server: TestListener;
let people: readonly Person[];
beforeAll(async () => {
  server = await startListening();
  people = await createCallers(server.t);
});
afterAll(() => server.close());

const CONTENT = 'Only for those who may read it.';
const BYTES = Buffer.from(CONTENT);

interface Answer {
  readonly status: number;
  readonly message: string;
}

async function ofRpc(call: Promise<unknown>, success: Answer): Promise<Answer> {
  try {
    await call;
    return success;
  } catch (error) {
    const { code, rawMessage } = ConnectError.from(error);
    return { status: codeToHttpStatus(code), message: rawMessage };
  }
}

/** Sends a request, and takes the message of an error or the text of anything else. */
async function ofRequest(path: string, bearer: string | undefined, init: RequestInit = {}): Promise<Answer> {
  const headers = new Headers(bearer === undefined ? [] : [['authorization', `Bearer ${bearer}`]]);
  const response = await fetch(server.base + path, { ...init, headers });
  const text = await response.text();
  const isError = response.status >= 400 && text !== '';
  return { status: response.status, message: isError ? (JSON.parse(text) as Answer).message : text };
}

/** The calls of support staff in an organization so far, with what became of them. */
async function recordedCalls(organization: string) {
  const sameSession = and(
    eq(supportSession.organization, supportCall.organization),
    eq(supportSession.id, supportCall.supportSession),
  );
  return server.t.app.db.orm
    .select({
      rpc: supportCall.rpc,
      changes: supportCall.changes,
      outcome: supportCall.outcome,
      userId: supportSession.userId,
      supportSession: supportSession.id,
    })
    .from(supportCall)
    .innerJoin(supportSession, sameSession)
    .where(eq(supportCall.organization, organization))
    .orderBy(asc(supportCall.id));
}

/** Runs a request after the rpc it stands for, and expects the same answer and the same record from both. */
async function expectSame(organization: string, rpc: () => Promise<Answer>, request: () => Promise<Answer>) {
  const before = await recordedCalls(organization);
  const expected = await rpc();
  const afterRpc = await recordedCalls(organization);
  const recorded = afterRpc.slice(before.length);
  expect(await request()).toEqual(expected);
  // The outcome of a request is recorded after its response.
  await vi.waitFor(async () => expect((await recordedCalls(organization)).slice(afterRpc.length)).toEqual(recorded));
  return { ...expected, recorded };
}

/** Compares each request for files with its rpc, in the organization that the caller asks for. */
const requests = {
  'a download': async ({ bearer }: Person, organization: string) => {
    const { identifier, link } = presentFile(await addFile(server.t.app, organization, BYTES));
    const files = server.t.with(bearer).client(FileService);
    return expectSame(
      organization,
      () => ofRpc(files.get({ organization, identifier }), { status: 200, message: CONTENT }),
      () => ofRequest(link, bearer),
    );
  },
  'a download of an export': async ({ bearer }: Person, organization: string) => {
    const link = await addExport(server.t.app, organization, BYTES);
    const exports = server.t.with(bearer).client(ExportService);
    return expectSame(
      organization,
      () => ofRpc(exports.list({ organization }), { status: 200, message: CONTENT }),
      () => ofRequest(link, bearer),
    );
  },
  'an upload': async ({ bearer }: Person, organization: string) => {
    const files = server.t.with(bearer).client(FileService);
    const file = { identifier: 'upload', name: 'plan.txt', content: { case: 'dataRaw' as const, value: BYTES } };
    return expectSame(
      organization,
      () => ofRpc(files.upload({ organization, file }), { status: 201, message: '' }),
      async () => {
        const path = `/files/${organization}?name=plan.txt&identifier=upload`;
        const sent = await ofRequest(path, bearer, { method: 'POST', body: BYTES });
        return sent.status === 201 ? { ...sent, message: '' } : sent;
      },
    );
  },
};

const permissionFor: Readonly<Record<keyof typeof requests, string>> = {
  'a download': 'FILES',
  'a download of an export': 'EXPORT',
  'an upload': 'FILES_UPLOAD',
};

function expectedStatus({ unauthenticated, isOutOfReach, blockedReason, readOnly, permissions }: Person, kind: string) {
  if (unauthenticated) return 401;
  const isBarred = isOutOfReach === true || blockedReason !== undefined;
  if (isBarred || !permissions.has(permissionFor[kind as keyof typeof requests])) return 403;
  if (kind !== 'an upload') return 200;
  return readOnly ? 403 : 201;
}

test.each(Object.keys(requests) as (keyof typeof requests)[])(
  '%s is answered and recorded as its rpc, for every kind of caller',
  async (kind) => {
    for (const person of people) {
      const organization = person.requested ?? person.home ?? 'northwind';
      const { status, recorded } = await requests[kind](person, organization);
      expect([person.name, status]).toEqual([person.name, expectedStatus(person, kind)]);
      expect([person.name, recorded.length]).toEqual([
        person.name,
        person.name.includes('support staff') && person.requested !== undefined && !person.isOutOfReach ? 1 : 0,
      ]);
    }
  },
);

test("a download is the first call of a support session if it is staff's first in the organization", async () => {
  const { link } = presentFile(await addFile(server.t.app, 'northwind-north', BYTES));
  const staff = server.t.as('support');
  expect(await recordedCalls('northwind-north')).toEqual([]);
  expect(await ofRequest(link, staff.bearer)).toEqual({ status: 200, message: CONTENT });
  const audit = server.t.as('administrator').client(SupportService);
  const { supportSessions } = await audit.listSupportSessions({ organization: 'northwind-north' });
  expect([supportSessions.length, supportSessions[0]!.reason]).toEqual([1, '']);
  const session = { organization: 'northwind-north', supportSessionId: supportSessions[0]!.id };
  // The outcome is recorded after the response.
  await vi.waitFor(async () => {
    const { calls } = await audit.listCalls(session);
    expect(calls.map(({ rpc, outcome }) => [rpc, outcome])).toEqual([['FileService.Get', 'ok']]);
  });
});
