package io.gcdiag.ingest.gclog.store;

import io.gcdiag.evidence.heap.HeapChange;
import java.util.Optional;

/**
 * What a log says about memory around one pause.
 *
 * @param whole the whole heap, in the log's own resolution (a unified log rounds down to MiB)
 * @param evacuationFailure whether objects could not be moved for want of free space: to-space
 *     exhausted or overflow, evacuation failure, promotion failed
 */
public record LoggedHeap(Optional<HeapChange> whole, boolean evacuationFailure) {}
