/**
 * Recognition of stacks: what a thread waits for, whose it is and how to name it, from the frames
 * alone. The knowledge is in {@code frames.txt} beside these classes; readers of recordings and of
 * thread dumps share it, so that both count the same thread the same way.
 */
package io.gcdiag.read.frames;
