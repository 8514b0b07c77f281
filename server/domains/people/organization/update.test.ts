import { Code } from '@connectrpc/connect';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EventService } from '#proto/gen/hiber/event_service_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { OrganizationService } from '#proto/gen/hiber/organization_pb.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

let t: TestServer;
beforeAll(async () => void (t = await startTestServer()));
afterAll(() => t.close());

const administrator = () => t.as('administrator').client(OrganizationService);
const history = async () => {
  const selection = { events: { include: [EventType.ORGANIZATION_UPDATED] } };
  return (await t.as('administrator').client(EventService).history({ selection })).events;
};

describe('updating an organization', () => {
  it('changes what is given, replaces what has parts whole, and leaves the rest', async () => {
    const before = await administrator().get({});
    const after = await administrator().update({ displayName: '<b>Northwind</b> & Zonen', address: { city: 'Delft' } });
    expect(after).toMatchObject({
      displayName: '<b>Northwind</b> & Zonen',
      vatNumber: before.vatNumber,
      contact: before.contact,
      address: { lines: [], city: 'Delft', country: '' },
    });
    await expect(administrator().get({})).resolves.toEqual(after);
    const [event] = await history();
    expect(event?.description).toBe('Changed of the organization: display name, address.');
  });

  it('that changes nothing makes no event', async () => {
    const before = (await history()).length;
    const { contact } = await administrator().get({});
    await administrator().update({ contact, displayName: '' });
    expect(await history()).toHaveLength(before);
  });

  it('needs ORGANIZATION_UPDATE, and text that can be read', async () => {
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
  const shown = async () => (await administrator().getAvatar({ organizations: ['northwind'] })).avatars.northwind;

  it('is an image by its first bytes, whatever it is called', async () => {
    await set(image(png, 'text/html'));
    expect((await shown())?.urlOrImage).toMatchObject({ case: 'image', value: { mediaType: 'image/png' } });
    await expect(set(image(svg))).rejects.toThrow('PNG, JPEG, WebP or GIF');
    await expect(set(image(Buffer.concat([png, Buffer.alloc(256 * 1024)])))).rejects.toThrow('256 KB');
  });

  it('keeps the file name that it came with', async () => {
    const named = (name: string) => {
      const { case: kind, value } = image(png);
      return set({ case: kind, value: { ...value, name } });
    };
    await named('logo 2026.png');
    expect((await shown())?.urlOrImage).toMatchObject({ case: 'image', value: { name: 'logo 2026.png' } });
    await expect(named('logo\n.png')).rejects.toThrow('file name of an avatar');
    // Without one it is named after its organization.
    await named('');
    expect((await shown())?.urlOrImage).toMatchObject({ case: 'image', value: { name: 'northwind' } });
  });

  it('is a URL that browsers load it from, or is taken away', async () => {
    await set({ case: 'url', value: 'https://example.com/logo.png' });
    expect((await shown())?.urlOrImage).toEqual({ case: 'url', value: 'https://example.com/logo.png' });
    await expect(set({ case: 'url', value: 'javascript:alert(1)' })).rejects.toThrow('https://');
    await set({ case: undefined });
    expect(await shown()).toBeUndefined();
  });
});
