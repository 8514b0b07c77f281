/** The native size of the pictures, which are scaled to cover the available space. */
export const WIDTH = 1440;
export const HEIGHT = 1080;
