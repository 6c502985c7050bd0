% Smoke in two rooms, and the alarm. Each second the smoke of a cell becomes the mean of what is around it; walls keep
% it out. A detector that reads more than 10 three times in a row raises the alarm; cells pass it on in half a second.
[top]
components : house

[house]
type : cell
dim : (10,16)
delay : transport
defaultDelayTime : 1000
border : nowrapped
neighbors :             house(-1,0)
neighbors : house(0,-1) house(0,0)  house(0,1)
neighbors :             house(1,0)
initialvalue : 0
% what neighbors see, each on its own: a rule that sets one leaves the other
neighborports : smoke alarm
% what only the cell knows: 0 air, 1 wall, 2 fire, 3 detector; high readings; whether it has passed the alarm on
statevariables : kind readings told
statevalues : 0 0 0
initialvariablesvalue : alarm.var
localtransition : air

[air]
rule : { ~smoke := ?; } 500 { $kind = 1 and not isUndefined((0,0)~smoke) }
rule : {} 500 { $kind = 1 }
rule : { ~alarm := 1; } { $told := 1; } 500
       { $told = 0 and (statecount(1, ~alarm) > 0 or ($kind = 3 and $readings >= 3)) }
rule : { ~smoke := 100; } 1000 { $kind = 2 }
rule : { ~smoke := #Macro(mixed); } { $readings := if((0,0)~smoke > 10, $readings + 1, 0); } 1000 { $kind = 3 }
rule : { ~smoke := #Macro(mixed); } 1000 { abs(#Macro(mixed) - (0,0)~smoke) > 0.1 }
rule : {} 1000 { t }

% no smoke comes from where there is none to know of: a wall, or what is beyond the border
#BeginMacro(mixed)
((0,0)~smoke + if(isUndefined((-1,0)~smoke), (0,0)~smoke, (-1,0)~smoke)
             + if(isUndefined((1,0)~smoke), (0,0)~smoke, (1,0)~smoke)
             + if(isUndefined((0,-1)~smoke), (0,0)~smoke, (0,-1)~smoke)
             + if(isUndefined((0,1)~smoke), (0,0)~smoke, (0,1)~smoke)) / 5
#EndMacro
