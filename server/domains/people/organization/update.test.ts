import { Code } from '@connectrpc/connect';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { EventService } from '#proto/gen/hiber/event_service_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { OrganizationService } from '#proto/gen/hiber/organization_pb.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

let t: TestServer;
beforeAll(async () => void (t = await startTestServer()));
afterAll(() => t.close());

const administrator = () => t.as('administrator').client(OrganizationService);
const listHistory = async () => {
  const selection = { events: { include: [EventType.ORGANIZATION_UPDATED] } };
  return (await t.as('administrator').client(EventService).history({ selection })).events;
};

describe('updating an organization', () => {
  test('changes only the fields in the request, replacing compound fields as a whole', async () => {
    const before = await administrator().get({});
    const after = await administrator().update({ displayName: '<b>Northwind</b> & Zonen', address: { city: 'Delft' } });
    expect(after).toMatchObject({
      displayName: '<b>Northwind</b> & Zonen',
      vatNumber: before.vatNumber,
      contact: before.contact,
      address: { lines: [], city: 'Delft', country: '' },
    });
    await expect(administrator().get({})).resolves.toEqual(after);
    const [event] = await listHistory();
    expect(event?.description).toBe('The organization was updated: display name, address.');
  });

  test('records no event when nothing changes', async () => {
    const before = (await listHistory()).length;
    const { contact } = await administrator().get({});
    await administrator().update({ contact, displayName: '' });
    expect(await listHistory()).toHaveLength(before);
  });

  test('requires ORGANIZATION_UPDATE and valid text', async () => {
    const operator = t.as('operator').client(OrganizationService).update({ displayName: 'Ours' });
    await expect(operator).rejects.toThrow('ORGANIZATION_UPDATE');
    for (const displayName of ['a\u0000b', 'a\u202eb', 'x'.repeat(201)])
      await expect(administrator().update({ displayName })).rejects.toMatchObject({ code: Code.InvalidArgument });
  });
});

describe('an avatar', () => {
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
  const set = (urlOrImage: object) => administrator().update({ avatar: { urlOrImage } as never });
  const image = (bytes: Uint8Array, mediaType = 'image/png') => ({
    case: 'image',
    value: { content: { case: 'dataRaw', value: bytes }, mediaType },
  });
  const currentAvatar = async () =>
    (await administrator().getAvatar({ organizations: ['northwind'] })).avatars.northwind;

  test('is recognized as an image by its first bytes, not by its media type', async () => {
    await set(image(png, 'text/html'));
    expect((await currentAvatar())?.urlOrImage).toMatchObject({ case: 'image', value: { mediaType: 'image/png' } });
    await expect(set(image(svg))).rejects.toThrow('PNG, JPEG, WebP, or GIF');
    await expect(set(image(Buffer.concat([png, Buffer.alloc(256 * 1024)])))).rejects.toThrow('256 KB');
  });

  test('keeps its file name and is rejected if the name is invalid', async () => {
    const setWithName = (name: string) => {
      const { case: kind, value } = image(png);
      return set({ case: kind, value: { ...value, name } });
    };
    await setWithName('logo 2026.png');
    expect((await currentAvatar())?.urlOrImage).toMatchObject({ case: 'image', value: { name: 'logo 2026.png' } });
    await expect(setWithName('logo\n.png')).rejects.toThrow("avatar's file name");
    // An image without a name is named after its organization.
    await setWithName('');
    expect((await currentAvatar())?.urlOrImage).toMatchObject({ case: 'image', value: { name: 'northwind' } });
  });

  test('can be an https URL and can be removed', async () => {
    await set({ case: 'url', value: 'https://example.com/logo.png' });
    expect((await currentAvatar())?.urlOrImage).toEqual({ case: 'url', value: 'https://example.com/logo.png' });
    await expect(set({ case: 'url', value: 'javascript:alert(1)' })).rejects.toThrow('https://');
    await expect(set({ case: 'url', value: 'https://me:secret@example.com/logo.png' })).rejects.toThrow('password');
    await set({ case: undefined });
    expect(await currentAvatar()).toBeUndefined();
  });
});
