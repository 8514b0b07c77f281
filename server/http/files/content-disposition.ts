/** The endings of files whose name has none (contract: File.name carries no type). */
const endings: Readonly<Record<string, string>> = {
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'image/gif': '.gif',
  'image/webp': '.webp',
  'application/pdf': '.pdf',
  'application/zip': '.zip',
  'application/json': '.json',
  'text/csv': '.csv',
  'text/plain': '.txt',
};

/** Names a download (RFC 6266). Clients without support for `filename*` get the name in ASCII. */
export function contentDisposition(isInline: boolean, name: string, mediaType: string): string {
  const fullName = /\.\w{1,8}$/.test(name) ? name : `${name}${endings[mediaType] ?? ''}`;
  const ascii = fullName.replaceAll(/[^ -~]|["\\]/g, '_');
  const encoded = encodeURIComponent(Buffer.from(fullName).toString()).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${isInline ? 'inline' : 'attachment'}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
