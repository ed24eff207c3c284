/** What the specification takes: JPG, PNG, GIF or WEBP under 10 MB. */
export const PICTURE_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];
const FILE_MAX = 10_000_000;
/** Width and height of the stored picture: twice those of the largest place for it. */
const SIDE_PX = 256;

/** The file is no picture that can be used. */
export class UnfitPicture extends Error {}

/**
 * The middle square of a picture, small enough for the pool's database. Made in the browser: where a photo was taken, and
 * on what, never leaves it.
 */
export async function pictureOf(file: File): Promise<Blob> {
  if (!PICTURE_TYPES.includes(file.type) || file.size >= FILE_MAX) throw new UnfitPicture();
  const image = await createImageBitmap(file).catch(() => {
    throw new UnfitPicture();
  });
  const side = Math.min(image.width, image.height);
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = Math.min(side, SIDE_PX);
  const context = canvas.getContext('2d');
  if (context) context.imageSmoothingQuality = 'high';
  const [left, top] = [(image.width - side) / 2, (image.height - side) / 2];
  context?.drawImage(image, left, top, side, side, 0, 0, canvas.width, canvas.height);
  image.close();
  // A browser that cannot write WEBP writes PNG.
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/webp', 0.9));
  if (!blob) throw new UnfitPicture();
  return blob;
}
