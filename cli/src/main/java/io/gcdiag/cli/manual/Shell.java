package io.gcdiag.cli.manual;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/** The shells for which there are scripts. */
public enum Shell {
  /** bash 3.2 and later. */
  BASH(BashScript::of),
  /** zsh 5 and later. */
  ZSH(ZshScript::of),
  /** fish 3 and later. */
  FISH(FishScript::of);

  private final Function<List<CommandPage>, String> script;

  Shell(Function<List<CommandPage>, String> script) {
    this.script = script;
  }

  /**
   * The script.
   *
   * @param pages that of gcdiag itself first, then those of its commands
   */
  public String script(List<CommandPage> pages) {
    return script.apply(pages);
  }

  /** The shell of a path such as {@code /usr/bin/zsh}. */
  public static Optional<Shell> ofPath(String path) {
    String name = path.substring(path.lastIndexOf('/') + 1);
    return Arrays.stream(values())
        .filter(shell -> shell.name().toLowerCase(Locale.ROOT).equals(name))
        .findFirst();
  }
}
