import { create, fromBinary, type MessageInitShape, toBinary, type DescMessage } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import { Code } from '@connectrpc/connect';
import { Client, credentials, Metadata, type ServiceError } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import {
  HealthCheckRequestSchema,
  HealthCheckResponse_ServingStatus as Status,
  HealthCheckResponseSchema,
  HealthListRequestSchema,
  HealthListResponseSchema,
} from '#proto/gen/grpc/health/v1/health_pb.ts';
import {
  ServerReflectionRequestSchema,
  ServerReflectionResponseSchema,
} from '#proto/gen/grpc/reflection/v1/reflection_pb.ts';
import { type TestListener, startListening } from '#server/testkit/listener.ts';

let server: TestListener;
let client: Client;
beforeAll(async () => {
  server = await startListening();
  client = new Client(`127.0.0.1:${server.port}`, credentials.createInsecure());
});
afterAll(async () => {
  client.close();
  await server.close();
});

const passThrough = (message: Buffer): Buffer => message;
const bytes = <S extends DescMessage>(schema: S, init: MessageInitShape<S>): Buffer =>
  Buffer.from(toBinary(schema, create(schema, init)));

describe('grpc.health.v1', () => {
  const check = (service: string, target = client) =>
    new Promise<Status | ServiceError>((resolve) => {
      const request = bytes(HealthCheckRequestSchema, { service });
      target.makeUnaryRequest(
        '/grpc.health.v1.Health/Check',
        passThrough,
        (response) => response,
        request,
        (error, response) => resolve(error ?? fromBinary(HealthCheckResponseSchema, response ?? Buffer.of()).status),
      );
    });

  test('reports the server and each service as serving, without authentication', async () => {
    expect(await check('')).toBe(Status.SERVING);
    expect(await check('hiber.tag.TagService')).toBe(Status.SERVING);
    expect(await check('hiber.no.SuchService')).toMatchObject({ code: Code.NotFound });
    const response = await new Promise<Buffer | undefined>((resolve) => {
      const request = bytes(HealthListRequestSchema, {});
      client.makeUnaryRequest(
        '/grpc.health.v1.Health/List',
        passThrough,
        (response) => response,
        request,
        (_, response) => resolve(response),
      );
    });
    const { statuses } = fromBinary(HealthListResponseSchema, response ?? Buffer.of());
    expect(statuses).toMatchObject({
      '': { status: Status.SERVING },
      'hiber.event.EventService': { status: Status.SERVING },
    });
  });

  test('notifies watchers when the server stops, and reports unknown services', async () => {
    const stoppingServer = await startListening();
    const stoppingClient = new Client(`127.0.0.1:${stoppingServer.port}`, credentials.createInsecure());
    const watch = (service: string) => {
      const statuses: Status[] = [];
      const path = '/grpc.health.v1.Health/Watch';
      const request = bytes(HealthCheckRequestSchema, { service });
      const stream = stoppingClient.makeServerStreamRequest(
        path,
        passThrough,
        (response) => response,
        request,
        new Metadata(),
      );
      stream.on('error', () => undefined);
      stream.on(
        'data',
        (response: Buffer) => void statuses.push(fromBinary(HealthCheckResponseSchema, response).status),
      );
      const ended = new Promise((resolve) => stream.once('end', resolve));
      return { statuses, ended, first: new Promise((resolve) => stream.once('data', resolve)) };
    };
    const [server, unknown] = [watch(''), watch('hiber.no.SuchService')];
    await Promise.all([server.first, unknown.first]);
    stoppingServer.shutdown.abort();
    await Promise.all([server.ended, unknown.ended]);
    expect([server.statuses, unknown.statuses]).toEqual([
      [Status.SERVING, Status.NOT_SERVING],
      [Status.SERVICE_UNKNOWN],
    ]);
    expect(await check('', stoppingClient)).toBe(Status.NOT_SERVING);
    stoppingClient.close();
    await stoppingServer.close();
  });

  test('reports NOT_SERVING while the database does not respond', async () => {
    const brokenServer = await startListening();
    const brokenClient = new Client(`127.0.0.1:${brokenServer.port}`, credentials.createInsecure());
    await brokenServer.t.app.db.close();
    expect(await check('hiber.tag.TagService', brokenClient)).toBe(Status.NOT_SERVING);
    brokenClient.close();
    await brokenServer.close();
  });
});

describe.each(['v1', 'v1alpha'])('grpc.reflection.%s', (version) => {
  type MessageRequest = NonNullable<MessageInitShape<typeof ServerReflectionRequestSchema>['messageRequest']>;
  /** Sends requests on a single stream and returns the responses. Both versions have the same binary format. */
  async function exchange(...messageRequests: MessageRequest[]) {
    const path = `/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`;
    const stream = client.makeBidiStreamRequest(path, passThrough, (response) => response, new Metadata());
    const responses: Buffer[] = [];
    stream.on('data', (response: Buffer) => void responses.push(response));
    for (const messageRequest of messageRequests)
      stream.write(bytes(ServerReflectionRequestSchema, { host: 'any', messageRequest }));
    stream.end();
    await new Promise((resolve, reject) => stream.once('end', () => resolve(undefined)).once('error', reject));
    return responses.map((response) => fromBinary(ServerReflectionResponseSchema, response));
  }
  const filesIn = (response: Awaited<ReturnType<typeof exchange>>[number] | undefined) =>
    response?.messageResponse.case === 'fileDescriptorResponse'
      ? response.messageResponse.value.fileDescriptorProto.map((array) => fromBinary(FileDescriptorProtoSchema, array))
      : [];

  test('lists the services', async () => {
    const [response] = await exchange({ case: 'listServices', value: '' });
    expect(response).toMatchObject({ validHost: 'any', originalRequest: { messageRequest: { case: 'listServices' } } });
    const services =
      response?.messageResponse.case === 'listServicesResponse' ? response.messageResponse.value.service : [];
    const names = services.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining([
        'hiber.tag.TagService',
        'grpc.health.v1.Health',
        `grpc.reflection.${version}.ServerReflection`,
      ]),
    );
    expect(names).not.toContain('hiber.certificate.CertificateService');
  });

  test('returns the file that declares a symbol, along with its imports, each once per stream', async () => {
    const symbols = ['hiber.tag.TagService', 'hiber.tag.TagService.List', 'hiber.tag.Tag.Label', 'hiber.tag.Tag.label'];
    for (const value of symbols) {
      const [response] = await exchange({ case: 'fileContainingSymbol', value });
      const files = filesIn(response);
      expect(files[0]?.name, value).toBe('hiber/tag.proto');
      const names = files.map(({ name }) => name);
      for (const file of files) expect(names).toEqual(expect.arrayContaining(file.dependency));
    }
    const [first, second] = await exchange(
      { case: 'fileByFilename', value: 'hiber/tag.proto' },
      { case: 'fileByFilename', value: 'hiber/tag.proto' },
    );
    expect([filesIn(first).length > 1, filesIn(second).map(({ name }) => name)]).toEqual([true, ['hiber/tag.proto']]);
  });

  test('reports unknown names as an error, and keeps the stream open', async () => {
    const responses = await exchange(
      { case: 'fileByFilename', value: 'hiber/no.proto' },
      { case: 'fileContainingSymbol', value: 'hiber.no.SuchService' },
      { case: 'fileContainingExtension', value: { containingType: 'hiber.tag.Tag', extensionNumber: 1 } },
      { case: 'allExtensionNumbersOfType', value: 'hiber.tag.Tag' },
      { case: undefined },
      { case: 'fileByFilename', value: 'hiber/tag.proto' },
    );
    const codes = responses.map(({ messageResponse: { case: kind, value } }) =>
      kind === 'errorResponse' ? value.errorCode : kind,
    );
    const { NotFound, InvalidArgument } = Code;
    expect(codes).toEqual([NotFound, NotFound, NotFound, NotFound, InvalidArgument, 'fileDescriptorResponse']);
  });
});
