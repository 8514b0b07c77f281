import { Export_Format_Type as Type, ExportService } from '#proto/gen/hiber/export_pb.ts';

import type { TestServer } from './server.ts';

type Kind = Parameters<TestServer['as']>[0];

/** Returns the configuration of an export of devices' messages. */
export const messages = (modems: readonly string[], timeRange: object = {}) => ({
  type: { case: 'modemMessage' as const, value: { modems: [...modems], timeRange } },
});
export const csv = (value: object = {}) => ({ type: Type.CSV, configuration: { case: 'csv' as const, value } });
export const json = (value: object = {}) => ({ type: Type.JSON, configuration: { case: 'json' as const, value } });

/** The columns of {@link exportCalls}' requests. */
const byNumberAndTime = {
  columns: [
    { name: 'Number', jsonPath: '$.modemNumber' },
    { name: 'Body', jsonPath: '$.bodyBytes.hex' },
    { name: 'Note', jsonPath: '$.metadata.note' },
  ],
};

/**
 * Returns functions that call a server's exports as an administrator, unless a test names someone else. A request is by
 * default for the first device's messages.
 */
export function exportCalls(server: () => TestServer, devices: () => readonly string[]) {
  const exports = (kind: Kind = 'administrator') => server().as(kind).client(ExportService);
  return {
    exports,
    async request(request: object = {}) {
      const configuration = messages(devices().slice(0, 1));
      const { created } = await exports().create({
        name: 'October',
        format: csv(byNumberAndTime),
        configuration,
        ...request,
      });
      return created!;
    },
    async find(identifier: string, kind: Kind = 'administrator') {
      return (await exports(kind).list({ selection: { identifiers: [identifier], includeExpired: true } })).exports[0];
    },
  };
}

/** Returns the sentence with which a call is rejected. */
export const rejection = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'ok',
    (error: { rawMessage: string }) => error.rawMessage,
  );
