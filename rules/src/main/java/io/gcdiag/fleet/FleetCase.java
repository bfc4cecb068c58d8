package io.gcdiag.fleet;

import io.gcdiag.evidence.time.Window;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Files of one process and one stretch of time.
 *
 * @param id its name: the path of its folder from the folder that was searched, and its first
 *     recording if it has one
 * @param folder where its files are; the archive itself, if it is one
 * @param files its files, by name
 * @param whole whether it is all that the folder holds
 * @param origin what its path says of service, host and version
 * @param time the time that its files cover, as far as known without reading them
 */
public record FleetCase(
    String id,
    Path folder,
    List<Path> files,
    boolean whole,
    CaseOrigin origin,
    Optional<Window> time) {

  public FleetCase {
    files = List.copyOf(files);
  }

  /**
   * What is known of service, host and version without files: the folder stands for the service.
   */
  public CaseOrigin placed() {
    String[] parts = id.split("/");
    // A recording directly in the folder that was searched says nothing of a service.
    boolean named =
        parts.length > 2
            || parts.length > 1 && files.stream().noneMatch(file -> file.endsWith(parts[1]));
    String folderName = parts[named ? 1 : 0];
    return origin.or(new CaseOrigin(Optional.of(folderName), Optional.empty(), Optional.empty()));
  }

  public FleetCase withoutHost() {
    CaseOrigin hidden = new CaseOrigin(origin.service(), Optional.empty(), origin.build());
    return new FleetCase(id, folder, files, whole, hidden, time);
  }

  /** What to read: the folder, so that the answer is that of the folder, or some of its files. */
  public List<Path> inputs() {
    return whole ? List.of(folder) : files;
  }
}
