package io.gcdiag.spark;

import io.gcdiag.fleet.CaseKey;
import io.gcdiag.fleet.CaseDigest;
import java.io.Serializable;
import java.util.List;
import java.util.Set;

/**
 * A folder with files, as the driver gives it to an executor.
 *
 * @param address where it is
 * @param root the name of the folder that was searched
 * @param inside the way from there to this one; empty for that folder itself
 * @param files their names; where an archive was named instead of a folder, empty: the address is
 *     the file
 * @param bytes of all files
 * @param stamp of names, sizes, times and options: the same for the same cases
 * @param known what is in it and has a row, see {@link #mark}; empty where it was not visited
 */
record Folder(
    String address,
    String root,
    String inside,
    List<String> files,
    long bytes,
    String stamp,
    Set<String> known)
    implements Serializable {

  /** Copies the lists. */
  Folder {
    files = List.copyOf(files);
    known = Set.copyOf(known);
  }

  /** Stands for a case with its files in what is kept of a folder. */
  static String mark(CaseKey key) {
    return Long.toHexString(
        CaseDigest.number(key.id() + '\0' + key.digest() + '\0' + key.version()));
  }

  /** Begins the names of its cases. */
  String name() {
    return inside.isEmpty() ? root : root + "/" + inside;
  }

  Folder knowing(Set<String> marks) {
    return new Folder(address, root, inside, files, bytes, stamp, marks);
  }
}
