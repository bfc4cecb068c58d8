@echo off
rem Starts gcdiag. Builds it first if there is no jar yet; after an update of the sources remove cli\target.
rem GCDIAG_JAVA_OPTS: more options for the JVM, such as -Xmx2g.
setlocal
set "HOME_DIR=%~dp0"
rem In a package the jar lies beside this file.
set "JAR=%HOME_DIR%lib\gcdiag.jar"
if not exist "%JAR%" set "JAR=%HOME_DIR%cli\target\gcdiag.jar"
set "JDK_JAVA_OPTIONS="
set "JAVA_TOOL_OPTIONS="
set "_JAVA_OPTIONS="
set "JAVA_EXE=java.exe"
if defined JAVA_HOME if exist "%JAVA_HOME%\bin\java.exe" set "JAVA_EXE=%JAVA_HOME%\bin\java.exe"
rem The module of the JDK itself bears its version; Java 8 has no modules and refuses the option.
"%JAVA_EXE%" --list-modules 2>nul | findstr /r /c:"^java.base@1[7-9]" /c:"^java.base@[2-9][0-9]" >nul
if errorlevel 1 (
  echo gcdiag: no Java of version 17 or later found; install a JDK, or set JAVA_HOME 1>&2
  exit /b 1
)
if not exist "%JAR%" (
  echo gcdiag: building ^(once, about a minute^) ... 1>&2
  call "%HOME_DIR%mvnw.cmd" -q -B -f "%HOME_DIR%pom.xml" -Dmaven.test.skip=true -Dspotless.check.skip=true -pl cli -am package 1>&2
  if errorlevel 1 (
    echo gcdiag: the build failed; its output stands above 1>&2
    exit /b 1
  )
)
rem A console with another code page than that of UTF-8 shows the lines of tables as garbage. Whether
rem output goes to one cannot be asked here: it is taken for one then, of which no colours are known.
set "ASCII=true"
chcp 2>nul | findstr /c:"65001" >nul
if not errorlevel 1 set "ASCII=false"
if "%ASCII%"=="true" set "NO_COLOR=1"
"%JAVA_EXE%" -Xms64m -Xmx512m -XX:MinHeapFreeRatio=20 -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:C1MaxInlineSize=25 -XX:-UsePerfData -Dsun.reflect.inflationThreshold=2147483647 -Djdk.reflect.useNativeAccessorOnly=true -Xshare:auto "-Dgcdiag.out.terminal=%ASCII%" "-Dgcdiag.out.ascii=%ASCII%" %GCDIAG_JAVA_OPTS% -jar "%JAR%" %*
exit /b %ERRORLEVEL%
