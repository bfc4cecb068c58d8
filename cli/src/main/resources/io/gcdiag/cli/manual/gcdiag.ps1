# PowerShell completion for gcdiag; written by 'gcdiag completion powershell'

Register-ArgumentCompleter -Native -CommandName 'gcdiag', 'gcdiag.cmd' -ScriptBlock {
  param($word, $ast, $cursor)
  $commands = {{commands}}
  $options = @{
{{options}}  }
  $values = @{
{{values}}  }
  $positionals = @{
{{positionals}}  }
  # The words before the one at the cursor, without gcdiag itself.
  $before = @($ast.CommandElements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object { $_.ToString() })
  $command = [string]($before | Where-Object { $commands -contains $_ } | Select-Object -First 1)
  $last = "$command " + [string]($before | Select-Object -Last 1)
  if ($values.ContainsKey($last)) { $offered = $values[$last] }
  elseif ($word.StartsWith('-')) { $offered = $options[$command] }
  elseif ($command -eq '') { $offered = $commands }
  else { $offered = $positionals[$command] }
  $offered | Where-Object { $_ -like "$word*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
