"""Word lists of the rules in perturb.py and meaning.py.

A line of a list is a set of words of which one in place of another changes the meaning ("alternatives"), or, where the
name of the list says so, does not.
"""


def table(text):
    """Lines of words that are separated by `|`."""
    return [[word.strip() for word in line.split("|")] for line in text.strip().split("\n")]


ANTONYMS = table("""
good | bad
better | worse
best | worst
big | small
bigger | smaller
large | small
larger | smaller
largest | smallest
high | low
higher | lower
highest | lowest
long | short
longer | shorter
old | new
older | younger
oldest | youngest
early | late
easy | difficult
easier | harder
hard | easy
hot | cold
warm | cool
strong | weak
stronger | weaker
rich | poor
fast | slow
faster | slower
quickly | slowly
heavy | light
full | empty
open | closed
opened | closed
opening | closing
safe | dangerous
clean | dirty
happy | sad
positive | negative
active | passive
public | private
legal | illegal
possible | impossible
necessary | unnecessary
important | unimportant
likely | unlikely
known | unknown
clear | unclear
fair | unfair
able | unable
usual | unusual
expected | unexpected
official | unofficial
direct | indirect
dependent | independent
complete | incomplete
correct | incorrect
accurate | inaccurate
effective | ineffective
sufficient | insufficient
visible | invisible
common | rare
similar | different
same | opposite
near | far from
maximum | minimum
major | minor
majority | minority
success | failure
successful | unsuccessful
successfully | unsuccessfully
succeeded | failed
win | lose
won | lost
winning | losing
winner | loser
victory | defeat
rise | fall
rose | fell
rising | falling
risen | fallen
increase | decrease
increases | decreases
increased | decreased
increasing | decreasing
growth | decline
grow | shrink
grew | shrank
growing | shrinking
gain | loss
gained | lost
profit | loss
improve | worsen
improved | worsened
improvement | deterioration
accept | reject
accepted | rejected
agree | disagree
agreed | refused
allow | forbid
allowed | forbidden
allows | prevents
permit | prohibit
permitted | prohibited
approve | reject
approved | rejected
support | oppose
supported | opposed
supports | opposes
supporters | opponents
love | hate
loved | hated
like | dislike
remember | forget
remembered | forgot
start | end
started | ended
starts | ends
begin | finish
began | finished
beginning | end
arrive | leave
arrived | left
arrival | departure
enter | leave
entered | left
come | go
came | went
give | take
gave | took
given | taken
send | receive
sent | received
buy | sell
bought | sold
buying | selling
buyer | seller
borrow | lend
borrowed | lent
import | export
imports | exports
imported | exported
hire | fire
hired | fired
employed | unemployed
employer | employee
teacher | student
doctor | patient
attack | defend
attacked | defended
attacker | defender
victim | suspect
guilty | innocent
convicted | acquitted
arrested | released
build | destroy
built | destroyed
create | destroy
created | destroyed
add | remove
added | removed
include | exclude
included | excluded
including | excluding
connect | disconnect
connected | disconnected
install | uninstall
installed | uninstalled
enable | disable
enabled | disabled
enables | disables
activate | deactivate
activated | deactivated
lock | unlock
locked | unlocked
save | delete
saved | deleted
show | hide
shown | hidden
online | offline
sign in | sign out
log in | log out
upload | download
uploaded | downloaded
push | pull
raise | lower
raised | lowered
lift | impose
lifted | imposed
expand | reduce
expanded | reduced
strengthen | weaken
strengthened | weakened
encourage | discourage
encouraged | discouraged
confirm | deny
confirmed | denied
confirms | denies
admitted | denied
true | false
truth | lie
right | wrong
present | absent
presence | absence
alive | dead
born | died
birth | death
life | death
survived | died
healthy | sick
war | peace
enemy | friend
friends | enemies
friendly | hostile
internal | external
inner | outer
domestic | foreign
national | international
local | foreign
urban | rural
ancient | modern
temporary | permanent
cheap | expensive
cheaper | more expensive
free | paid
quiet | loud
wet | dry
dark | bright
thick | thin
wide | narrow
deep | shallow
sharp | blunt
soft | hard
simple | complex
optimistic | pessimistic
advantage | disadvantage
advantages | disadvantages
benefit | harm
benefits | risks
hope | fear
hopes | fears
fortunately | unfortunately
remain | leave
remained | left
stay | leave
stayed | left
keep | lose
kept | lost
found | lost
appear | disappear
appeared | disappeared
supply | demand
credit | debt
victories | defeats
victorious | defeated
domestically | abroad
mandatory | optional
required | optional
voluntary | compulsory
guilt | innocence
democratic | undemocratic
stable | unstable
calm | nervous
tall | short
young | old
single | married
married | divorced
wholesale | retail
acute | chronic
benign | malignant
left-wing | right-wing
plaintiff | defendant
lessor | lessee
lender | borrower
tenant | landlord
in favour of | against
in favor of | against
with | without
for | against
""")

# Words of one line exclude each other; a rule takes any other one of the line.
QUANTIFIERS = table("""
all | some | none of | few | most
every | no | not every
each | no
many | few | no
several | no | all
some | no | all
both | neither | one of
always | never | sometimes | rarely
often | never | rarely
usually | rarely | never
sometimes | always | never
everyone | no one | someone
everybody | nobody | somebody
everything | nothing | something
everywhere | nowhere
nobody | everybody
no one | everyone
nothing | everything
never | always | often
almost all | hardly any
most | few | all
a few | all | no
few | many | all
at least | at most | exactly
at most | at least
more than | less than | exactly
less than | more than
fewer than | more than
up to | more than | at least
over | under
only | not only | also
exactly | almost
almost | more than
about | exactly
entirely | partly
completely | partly | hardly
fully | partly | not at all
partly | completely
mostly | rarely
nearly | hardly
hardly | completely
enough | not enough
too | not too
also | only
first | last
any | no
""")

MODALITY = table("""
may | must | may not | cannot
must | may | need not | must not
can | cannot | must
cannot | can
could | had to | could not
might | will | will not
should | need not | should not | may
will | might | would | will not
would | would not | will
shall | may | shall not
has to | may | does not have to
have to | may | do not have to
had to | wanted to | did not have to
need to | need not | want to
is allowed to | is required to | is forbidden to
are allowed to | are required to | are forbidden to
is required to | is allowed to
are required to | are allowed to
probably | certainly | probably not
certainly | possibly
definitely | possibly
possibly | certainly
perhaps | certainly
maybe | certainly
apparently | certainly
allegedly | undoubtedly
reportedly | undoubtedly
wants to | refuses to | has to
want to | refuse to | have to
wanted to | refused to | had to
plans to | refuses to
plan to | refuse to
tried to | managed to
managed to | failed to
able to | unable to
likely to | unlikely to | certain to
recommended | forbidden | required
optional | mandatory
suspected | proven
believes | knows | doubts
believe | know | doubt
thinks | knows | doubts
think | know | doubt
claims | proves | denies
said | denied | promised
says | denies | promises
promised | refused
""")

ORDER = table("""
before | after
after | before
until | since
since | until
earlier | later
later | earlier
previous | next
next | last
last | next
past | coming
former | current | future
current | former
yesterday | tomorrow | today
today | yesterday | tomorrow
tomorrow | yesterday | today
tonight | last night
now | then | previously
already | not yet
still | no longer
no longer | still
not yet | already
ago | from now
beginning of | end of
end of | beginning of
early | late
following | preceding
recently | long ago
soon | much later
immediately | eventually
first | finally
""")

CONDITIONS = table("""
if | unless | even if | whenever
unless | if
because | although | so
although | because
though | because
because of | despite
due to | despite
despite | because of
in spite of | because of
while | because
as long as | unless
provided that | unless
therefore | nevertheless
however | therefore
so that | because
but | so
and | or
or | and
either | neither
neither | either
instead of | as well as
as well as | instead of
rather than | as well as
except | including
except for | including
besides | except
even | not even
only if | even if
whether | that
when | unless | before
as soon as | before
in order to | instead of
""")

DIRECTIONS = table("""
left | right
north | south
northern | southern
east | west
eastern | western
northeast | southwest
up | down
upper | lower
above | below
inside | outside
in front of | behind
behind | in front of
top | bottom
forward | backward
into | out of
out of | into
towards | away from
toward | away from
to | from
from | to
in | out of
on | under
under | over
over | under
onto | off
near | far from
upstairs | downstairs
indoors | outdoors
horizontal | vertical
clockwise | anticlockwise
inward | outward
upward | downward
next to | far from
at home | abroad
""")

COMPARISONS = table("""
more | less | not more
less | more
fewer | more
most | least
least | most
as | not as
better | worse
higher | lower
greater | smaller
larger | smaller
longer | shorter
faster | slower
older | younger
cheaper | dearer
closer | farther
increased | reduced
exceed | fall short of
exceeds | falls short of
exceeded | fell short of
above | below
double | half
doubled | halved
twice | half
rather | hardly
very | not very
extremely | slightly
slightly | considerably
significantly | slightly
considerably | hardly
sharply | slightly
equal to | different from
same | different
""")

PRONOUNS = table("""
he | she | they | we
she | he | they | we
they | we | he | she
we | they | you
i | he | she | you | we
you | they | i | we
him | her | them | us
them | us | him | her
us | them | you
me | him | her | us
his | her | their | my | our
their | our | his | her | your
our | their | your
my | your | his | her | our
your | my | their
himself | herself | themselves
herself | himself
themselves | ourselves
myself | yourself
mine | yours | his
yours | mine
man | woman
men | women
boy | girl
boys | girls
mother | father
father | mother
son | daughter
daughter | son
brother | sister
sister | brother
husband | wife
wife | husband
uncle | aunt
king | queen
mr | mrs
mr. | mrs.
mr. | ms.
grandmother | grandfather
actor | actress
male | female
who | whose brother
""")

UNITS = table("""
mg | g | µg | kg
g | mg | kg
kg | g | tonnes | pounds
grams | kilograms | milligrams
kilograms | grams | pounds
kilogrammes | grammes
milligrams | grams
tonnes | kilograms
tons | kilograms
ml | l | dl
litres | millilitres | gallons
liters | milliliters | gallons
mm | cm | m
cm | mm | m
km | m | miles
kilometres | metres | miles
kilometers | meters | miles
miles | kilometres | metres
metres | kilometres | centimetres
meters | kilometers | centimeters
feet | inches | metres
inches | feet
hectares | square metres | acres
acres | hectares
seconds | minutes | hours
second | minute
minutes | hours | seconds
minute | hour
hours | minutes | days
hour | day | minute
days | weeks | hours | months
day | week | month
weeks | days | months
week | month | day
months | years | weeks | days
month | year | week
years | months | days | decades
year | month | decade
decades | years | centuries
century | decade
daily | weekly | monthly
weekly | daily | monthly
monthly | yearly | weekly
annual | monthly
annually | monthly
kb | mb
mb | gb | kb
gb | mb | tb
megabytes | gigabytes
gigabytes | megabytes
kw | mw
mw | kw
volts | amps
degrees | percent
percent | percentage points
°c | °f
celsius | fahrenheit
mph | km/h
km/h | mph
mmol | mol
ms | s
""")

CURRENCIES = table("""
$ | € | £ | ¥
€ | $ | £
£ | $ | €
dollars | euros | pounds | yen
dollar | euro | pound
euros | dollars | pounds | francs
euro | dollar | pound
pounds | euros | dollars
yen | yuan | dollars
yuan | yen | dollars
rubles | dollars | euros
roubles | dollars | euros
crowns | euros
francs | euros
rupees | dollars
usd | eur | gbp
eur | usd | chf
cents | dollars
""")

ANSWERS = table("""
yes | no
no | yes
yeah | nope
yep | nope
sure | no
okay | no
ok | no
of course | of course not
of course not | of course
absolutely | absolutely not
never | always
true | false
false | true
correct | incorrect
right | wrong
exactly | not at all
thanks | sorry
thank you | excuse me
please | don't
hello | goodbye
hi | bye
goodbye | hello
welcome | goodbye
good morning | good night
good night | good morning
maybe | never
agreed | refused
done | not done
""")

# Lines of siblings: one in place of another is another fact.
CATEGORIES = table("""
red | blue | green | yellow | black | white | brown | grey | orange | purple
dog | cat | horse | cow | bird | sheep | fish
dogs | cats | horses | cows | birds | sheep
car | bus | train | bicycle | plane | ship | truck | motorcycle
cars | buses | trains | bicycles | planes | ships | trucks
doctor | lawyer | engineer | teacher | nurse | farmer | pilot | driver
doctors | lawyers | engineers | teachers | nurses | farmers | drivers
hand | foot | head | arm | leg | knee | shoulder | ear | eye
heart | liver | kidney | lung | brain | stomach
bread | rice | milk | cheese | meat | fruit
coffee | tea | beer | wine | water | juice
school | hospital | church | factory | hotel | airport | library | bank
police | army | fire brigade | government
football | basketball | tennis | hockey | golf
gold | silver | copper | iron | steel
oil | gas | coal | water
minister | mayor | governor | senator | ambassador
president | prime minister | chancellor | king
government | parliament | court | opposition
spring | summer | autumn | winter
morning | afternoon | evening | night
breakfast | lunch | dinner
river | lake | mountain | forest | island | desert
village | city | country | region
book | film | song | newspaper | letter
phone | computer | camera | television | radio
table | chair | bed | door | window | wall
shirt | jacket | shoes | trousers | hat
children | adults | parents | students | teachers
germany | france | spain | italy | poland | russia | china | japan | turkey | canada | brazil | india | egypt
german | french | spanish | italian | polish | russian | chinese | japanese | turkish | american | british
germans | french | spaniards | italians | poles | russians | chinese | japanese | turks | americans
europe | asia | africa | america | australia
berlin | paris | london | moscow | madrid | rome | vienna | prague | beijing | washington | tokyo
republicans | democrats
muslim | christian | jewish | buddhist
euro zone | united states | united kingdom
rain | snow | wind | fog | hail
earthquake | flood | fire | storm | drought
tax | subsidy | fee | fine
wages | prices | taxes | pensions
murder | theft | fraud | rape
killed | injured | rescued | arrested
diabetes | cancer | asthma | malaria | flu
tablet | injection | capsule | cream
button | menu | window | folder | file
email | password | username | phone number
order | refund | invoice | delivery
""")

MONTHS = "January February March April May June July August September October November December".split()
WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
NUMBERS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
).split()
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()
SCALES = table("""
hundred | thousand | million
thousand | million | hundred
thousands | millions | hundreds
million | billion | thousand
millions | billions | thousands
billion | million | trillion
billions | millions
trillion | billion
half | a third of | all
third | quarter | half
quarter | third | half
double | triple
twice | three times | once
once | twice
dozen | hundred
dozens | thousands
hundreds | dozens | thousands
two-thirds | one-third
one-third | two-thirds
""")

EMOJI = table("""
😀 😃 😊 🙂 😍 🥰 👍 🎉 ❤️ 😎 💪 🤩 👏 ✅ | 😡 😠 👎 💔 😭 😢 🤮 😱 ❌ 🙄 😞 💀
☀️ 🌞 🔥 | 🌧️ ❄️ ⛈️
🍕 🍔 🍎 | ☕ 🍺 🍷
🐶 🐱 | 🐍 🕷️
✈️ 🚗 🚆 | 🏠 🛏️
⬆️ 📈 | ⬇️ 📉
""")

AUXILIARIES = ("is are was were am will would can could shall should may might must has have had does do did").split()

# past | base
PAST = table("""
said | say
made | make
went | go
took | take
got | get
gave | give
came | come
saw | see
knew | know
found | find
told | tell
became | become
left | leave
felt | feel
brought | bring
began | begin
kept | keep
held | hold
wrote | write
stood | stand
heard | hear
meant | mean
met | meet
paid | pay
led | lead
spoke | speak
won | win
lost | lose
bought | buy
sold | sell
sent | send
built | build
fell | fall
rose | rise
broke | break
spent | spend
grew | grow
drew | draw
chose | choose
ate | eat
drove | drive
flew | fly
caught | catch
taught | teach
thought | think
understood | understand
wanted | want
used | use
called | call
asked | ask
needed | need
tried | try
decided | decide
died | die
agreed | agree
announced | announce
received | receive
refused | refuse
increased | increase
reached | reach
showed | show
played | play
closed | close
opened | open
accepted | accept
approved | approve
believed | believe
helped | help
happened | happen
arrived | arrive
started | start
stopped | stop
supported | support
worked | work
""")

OTHER_VERBS = set("beat bit hit cut put let set fought struck shot stole gave threw hid forgot".split())

# base | third person
PRESENT = table("""
say | says
make | makes
want | wants
need | needs
know | knows
think | thinks
believe | believes
work | works
take | takes
give | gives
show | shows
mean | means
plan | plans
hope | hopes
expect | expects
seem | seems
help | helps
like | likes
include | includes
contain | contains
support | supports
offer | offers
require | requires
allow | allows
play | plays
live | lives
come | comes
go | goes
remain | remains
begin | begins
""")

# Lines whose words mean the same, or nearly so, in most sentences.
SAME_MEANING = table("""
begin | start
began | started
buy | purchase
bought | purchased
help | assist
helped | assisted
about | approximately | around
big | large
very | extremely
show | demonstrate
showed | demonstrated
get | obtain
need | require
needs | requires
many | a lot of | numerous
enough | sufficient
quickly | rapidly
almost | nearly
because | since
however | nevertheless | but
for example | for instance | e.g.
important | significant
difficult | hard
end | finish
ended | finished
children | kids
said | stated | declared
says | states
told | informed
whole | entire
often | frequently
sometimes | at times
perhaps | maybe
now | at present | currently
soon | shortly
before | prior to
after | following
during | in the course of
due to | because of | owing to
despite | in spite of
although | though | even though
use | employ
used | employed
try | attempt
tried | attempted
happen | occur
happened | occurred
car | automobile
doctor | physician
film | movie
company | firm
job | position
area | region
people | persons
police officer | policeman
percent | per cent | %
united states | u.s.
united kingdom | uk | u.k.
european union | eu | e.u.
last year | in the past year
this year | in the current year
at least | no less than
must | have to
cannot | can't | can not
do not | don't
does not | doesn't
did not | didn't
is not | isn't
are not | aren't
was not | wasn't
were not | weren't
will not | won't
would not | wouldn't
could not | couldn't
should not | shouldn't
has not | hasn't
have not | haven't
it is | it's
he is | he's
she is | she's
they are | they're
we are | we're
i am | i'm
you are | you're
i will | i'll
we will | we'll
that is | that's
let us | let's
centre | center
colour | color
labour | labor
defence | defense
programme | program
organisation | organization
organise | organize
recognise | recognize
theatre | theater
metres | meters
kilometres | kilometers
died | passed away
injured | hurt
wounded | injured
reduce | cut
reduced | cut
increase | rise
choose | select
chosen | selected
answer | reply
answered | replied
ask | request
allow | permit
allowed | permitted
build | construct
built | constructed
receive | get
received | got
attack | assault
stop | halt
stopped | halted
talks | negotiations
agreement | deal
problem | issue
problems | issues
result | outcome
results | outcomes
reason | cause
goal | aim
plan | scheme
nobody | no one
everybody | everyone
somebody | someone
""")

# specific | more general
HYPERNYMS = table("""
dog | animal
cat | animal
horse | animal
cow | animal
bird | animal
car | vehicle
bus | vehicle
truck | vehicle
train | vehicle
plane | vehicle
aircraft | vehicle
bicycle | vehicle
doctor | person
lawyer | person
teacher | person
officer | person
woman | person
man | person
girl | child
boy | child
mother | parent
father | parent
brother | relative
sister | relative
son | child
daughter | child
apple | fruit
bread | food
rice | food
meat | food
beer | drink
wine | drink
coffee | drink
house | building
school | building
hospital | building
church | building
hotel | building
factory | building
table | furniture
chair | furniture
rose | flower
tree | plant
gun | weapon
rifle | weapon
knife | tool
hammer | tool
cancer | disease
diabetes | disease
flu | disease
aspirin | drug
antibiotic | drug
football | sport
tennis | sport
basketball | sport
piano | instrument
guitar | instrument
novel | book
newspaper | publication
magazine | publication
gold | metal
iron | metal
steel | metal
oil | liquid
water | liquid
gas | substance
earthquake | disaster
flood | disaster
murder | crime
theft | crime
fraud | crime
euro | currency
dollar | currency
january | month
monday | day
paris | city
london | city
berlin | city
moscow | city
germany | country
france | country
china | country
russia | country
president | politician
minister | politician
senator | politician
mayor | official
judge | official
soldier | person
student | person
players | people
women | people
men | people
children | people
soldiers | people
students | people
workers | people
voters | people
phone | device
computer | device
camera | device
shirt | clothing
jacket | clothing
ran | moved
walked | moved
drove | travelled
flew | travelled
shouted | said
whispered | said
announced | said
murdered | killed
stole | took
bought | got
devoured | ate
massive | big
tiny | small
furious | angry
delighted | happy
exhausted | tired
scarlet | red
""")

FUNCTION_WORDS = (
    "the a an of in on at to for from with by and or that which who as is are was were has have had be been it its "
    "this these those there than then into about over under between through will would can could may his her their our"
).split()

# A function word and what writers of a second language put in its place.
FUNCTION_SLIPS = table("""
in | on | at
on | in | at | of
at | in | on
to | for | at
for | to | of
of | from | for
from | of | since
with | by | of
by | from | with
since | from
a | the | an
an | a
the | a
is | are
are | is
was | were
were | was
has | have
have | has
that | which | what
which | that | what
who | which
this | these
these | this
than | as | then
between | among
during | while
into | in
about | of
as | like
it | he
its | his
much | many
many | much
""")

ADDED = [
    "indeed", "of course", "as a rule", "in the end", "in general", "so to speak", "in this respect", "by the way",
    "at that time", "on the other hand", "as is known", "in fact", "together with others", "in the region",
    "once again", "among other things", "according to some", "as before", "in the first place", "for the most part",
    "with great care", "from the very start", "without any doubt", "after a long time", "in many cases", "and so on", "and others",
    "in the last years", "on its own", "to some extent",
]  # fmt: skip
