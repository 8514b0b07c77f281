import { useQuery } from '@tanstack/react-query';
import { FileText, Image } from 'lucide-react';
import { useCallback, useState } from 'react';

import { filesHost } from '#src/data/files-host.ts';
import { keyOf } from '#src/data/query-client.ts';

interface ThumbnailProps {
  readonly organization: string;
  /** The link to an image. Absent for other files, which show an icon. */
  readonly link: string | undefined;
}

/** A small picture of a file. */
export function Thumbnail({ organization, link }: ThumbnailProps) {
  return (
    <span className="flex size-12 shrink-0 items-center justify-center overflow-hidden rounded-field border border-line bg-surface-2 text-ink-3">
      {link === undefined ? <FileText size={18} aria-hidden /> : <Picture organization={organization} link={link} />}
    </span>
  );
}

/**
 * An image, fetched with the user's session, because the link alone shows nothing. The contract has no smaller version,
 * so it is fetched whole, but only once it is visible, and only a small copy stays in memory.
 */
function Picture({ organization, link }: { readonly organization: string; readonly link: string }) {
  const [isVisible, setIsVisible] = useState(false);
  const { data } = useQuery({
    queryKey: keyOf(organization, 'thumbnail', link),
    queryFn: async ({ signal }) => shrink(new Blob([(await filesHost.fetch(link, signal)) as Uint8Array<ArrayBuffer>])),
    enabled: isVisible,
    staleTime: Infinity,
    retry: false,
  });
  const observe = useCallback((icon: SVGSVGElement) => {
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setIsVisible(true));
    observer.observe(icon);
    return () => observer.disconnect();
  }, []);
  const show = useCallback(
    (image: HTMLImageElement) => {
      if (data === undefined) return undefined;
      const url = URL.createObjectURL(data);
      image.src = url;
      return () => URL.revokeObjectURL(url);
    },
    [data],
  );
  if (data === undefined) return <Image ref={observe} size={18} aria-hidden />;
  return <img ref={show} alt="" className="size-full object-cover" />;
}

/** The size of a thumbnail on a screen with two physical pixels per pixel. */
const SIZE = 96;

/**
 * Returns a copy of an image that is just large enough for a thumbnail.
 *
 * @throws if it can't be decoded
 */
async function shrink(file: Blob): Promise<Blob> {
  const bitmap = await createImageBitmap(file);
  const scale = Math.min(1, SIZE / Math.min(bitmap.width, bitmap.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(bitmap.width * scale);
  canvas.height = Math.round(bitmap.height * scale);
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The image is empty.'))));
  });
}
