import { expect, test, vi } from 'vitest';

import { fileContent } from '#commands/model/files.ts';

import { readFile } from './read-file.ts';

const MEGABYTE = 1024 * 1024;

test('reads the content of a file, and guesses a type that the browser does not know', async () => {
  const value = await readFile(new File(['a,b'], 'half \ud800.csv'), MEGABYTE);
  expect(fileContent(value)).toMatchObject({ name: 'half _.csv', mediaType: 'text/csv' });
});

test('does not read a file that is too large', async () => {
  const video = new File(['x'.repeat(MEGABYTE + 1)], 'video.mp4');
  const read = vi.spyOn(video, 'arrayBuffer');
  await expect(readFile(video, MEGABYTE)).rejects.toMatchObject({
    userMessage: { key: 'core:validation.fileSize', values: { name: 'video.mp4', max: 1, unit: 'MB' } },
  });
  expect(read).not.toHaveBeenCalled();
});

test('says that a folder cannot be read', async () => {
  const folder = new File([], 'photos');
  vi.spyOn(folder, 'arrayBuffer').mockRejectedValue(new DOMException('It is a directory.', 'NotFoundError'));
  await expect(readFile(folder, MEGABYTE)).rejects.toMatchObject({ userMessage: { key: 'console:form.fileUnread' } });
});
