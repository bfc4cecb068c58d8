package io.gcdiag.cli.completion;

import io.gcdiag.cli.help.CommandPage;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The shells for which there are scripts. */
public enum Shell {
  /** bash 3.2 and later. */
  BASH {
    @Override
    public String script(List<CommandPage> pages) {
      return BashScript.of(pages);
    }
  },
  /** zsh 5 and later. */
  ZSH {
    @Override
    public String script(List<CommandPage> pages) {
      return ZshScript.of(pages);
    }
  },
  /** fish 3 and later. */
  FISH {
    @Override
    public String script(List<CommandPage> pages) {
      return FishScript.of(pages);
    }
  };

  /**
   * The script.
   *
   * @param pages that of gcdiag itself first, then those of its commands
   */
  public abstract String script(List<CommandPage> pages);

  /** The shell of a path such as {@code /usr/bin/zsh}. */
  public static Optional<Shell> ofPath(String path) {
    String name = path.substring(path.lastIndexOf('/') + 1);
    return Arrays.stream(values())
        .filter(shell -> shell.name().toLowerCase(Locale.ROOT).equals(name))
        .findFirst();
  }
}
